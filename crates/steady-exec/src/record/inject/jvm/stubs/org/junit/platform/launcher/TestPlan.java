package org.junit.platform.launcher;

import org.junit.platform.engine.ConfigurationParameters;

public class TestPlan {
    public native ConfigurationParameters getConfigurationParameters();
}

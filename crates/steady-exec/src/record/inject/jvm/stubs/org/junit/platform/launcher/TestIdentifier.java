package org.junit.platform.launcher;

import java.util.Optional;
import org.junit.platform.engine.TestSource;

public abstract class TestIdentifier {
    public abstract boolean isTest();

    public abstract String getLegacyReportingName();

    public abstract Optional<TestSource> getSource();
}

package org.junit.platform.engine;

import java.util.Optional;

public interface ConfigurationParameters {
    Optional<String> get(String key);
}

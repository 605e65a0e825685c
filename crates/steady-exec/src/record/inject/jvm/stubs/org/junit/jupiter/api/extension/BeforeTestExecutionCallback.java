package org.junit.jupiter.api.extension;

public interface BeforeTestExecutionCallback {
    void beforeTestExecution(ExtensionContext context);
}

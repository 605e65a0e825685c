package steady.record;

import java.util.Optional;
import org.junit.jupiter.api.extension.BeforeTestExecutionCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.engine.ConfigurationParameters;

/** Brings the filter back when the set-up of a Jupiter test has reset RestAssured. */
public final class ReadyExtension implements BeforeTestExecutionCallback {
    private static final String DETECTION = "junit.jupiter.extensions.autodetection.";

    /** Lets Jupiter find this extension, and no other that it would not find without. */
    static void register(ConfigurationParameters parameters) throws ReflectiveOperationException {
        // Before Jupiter 5.12 there is no way to let it find one only.
        Class.forName("org.junit.jupiter.engine.Constants").getField("EXTENSIONS_AUTODETECTION_INCLUDE_PROPERTY_NAME");
        Optional<String> asked = parameters.get(DETECTION + "enabled");
        if (!asked.isPresent()) {
            System.setProperty(DETECTION + "enabled", "true");
            System.setProperty(DETECTION + "include", ReadyExtension.class.getName());
        }
    }

    @Override
    public void beforeTestExecution(ExtensionContext context) {
        TestListener.makeReady();
    }
}

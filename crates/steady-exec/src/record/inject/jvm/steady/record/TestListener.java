package steady.record;

import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/** Knows which test runs. JUnit's launcher finds it as a service, with Jupiter and with the vintage engine. */
public final class TestListener implements TestExecutionListener {
    // Threads that a test starts belong to it.
    private static final InheritableThreadLocal<String> CURRENT = new InheritableThreadLocal<>();

    static String current() {
        return CURRENT.get();
    }

    /** Adds the filter where it is missing: what ran before may have reset RestAssured. */
    static void makeReady() {
        try {
            RecordingFilter.install();
        } catch (LinkageError error) {
            // The project has no RestAssured, or one that is not known: there is nothing to record.
        }
    }

    @Override
    public void testPlanExecutionStarted(TestPlan plan) {
        try {
            ReadyExtension.register(plan.getConfigurationParameters());
        } catch (ReflectiveOperationException | LinkageError error) {
            // An older JUnit, or no Jupiter: the filter is there at the start of each test all the same.
        }
    }

    @Override
    public void executionStarted(TestIdentifier identifier) {
        makeReady();
        if (identifier.isTest()) {
            CURRENT.set(name(identifier));
        }
    }

    @Override
    public void executionFinished(TestIdentifier identifier, TestExecutionResult result) {
        if (identifier.isTest()) {
            CURRENT.remove();
        }
    }

    /** The name that Surefire's reports give: {@code shop.CartTest::totals(int)[1]}. */
    private static String name(TestIdentifier identifier) {
        String name = identifier.getLegacyReportingName();
        String plain = name.endsWith("()") ? name.substring(0, name.length() - 2) : name;
        return identifier.getSource()
                .filter(source -> source instanceof MethodSource)
                .map(source -> ((MethodSource) source).getClassName() + "::" + plain)
                .orElse(plain);
    }
}

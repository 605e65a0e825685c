package steady;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;

/** A test with a client of its own. What it leaves to {@code api.cleanup()} is sent when it is over. */
public abstract class ApiTest {
    protected final Api api = new Api(Suite.SESSION);

    @BeforeAll
    static void requireSecrets() {
        Suite.SESSION.requireSecrets();
    }

    @AfterEach
    void finish() {
        api.finish();
    }
}

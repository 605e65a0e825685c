package steady;

import org.junit.jupiter.api.AfterEach;

/** A test with a client of its own. What it leaves to {@code api.cleanup()} is sent when it is over. */
public abstract class ApiTest {
    protected final Api api = new Api(Suite.SESSION);

    @AfterEach
    void finish() {
        api.finish();
    }
}

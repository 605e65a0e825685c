package steady

import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.BeforeAll

/** A test with a client of its own. What it leaves to `api.cleanup()` is sent when it is over. */
abstract class ApiTest {
    protected val api = Api(Suite.session)

    @AfterEach
    fun finish() = api.finish()

    companion object {
        @JvmStatic
        @BeforeAll
        fun requireSecrets() = Suite.session.requireSecrets()
    }
}

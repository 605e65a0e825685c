package shop

import io.restassured.RestAssured.given
import org.hamcrest.Matchers.equalTo
import org.junit.jupiter.api.Test

class QuoteTest {
    private val url = System.getenv("STEADY_URL")

    @Test
    fun `a quote adds up`() {
        given()
            .accept("application/json")
            .`when`()
            .get("$url/quote")
            .then()
            .statusCode(200)
            .body("base", equalTo(500))
            .body("jitter", equalTo(37))
    }
}

package shop;

import static io.restassured.RestAssured.get;
import static org.hamcrest.Matchers.equalTo;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.restassured.RestAssured;
import io.restassured.response.Response;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class ShopTest {
    @BeforeAll
    static void usesTheShop() {
        RestAssured.baseURI = System.getenv("STEADY_URL");
    }

    @Test
    void aQuoteAddsUp() {
        Response quote = get("/quote");
        // The currency never changes.
        quote.then().statusCode(200).body("currency", equalTo("EUR")).body("total", equalTo(537));
    }

    @Test
    void theVersionIsKnown() {
        Response version = get("/version");
        assertEquals(200, version.getStatusCode());
        assertEquals("2024-03-01", version.jsonPath().getString("released"));
    }
}

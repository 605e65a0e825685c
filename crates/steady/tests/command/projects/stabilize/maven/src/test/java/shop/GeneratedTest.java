package shop;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.*;

import io.restassured.response.ValidatableResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

public class GeneratedTest {

    private static final String baseUrlOfSut = System.getenv("STEADY_URL");

    /**
    * Calls:
    * (200) GET:/orders/{id}
    */
    @Test @Timeout(60)
    public void test_0_getOnOrderReturnsObject() throws Exception {

        given().accept("application/json")
                .get(baseUrlOfSut + "/orders/11")
                .then()
                .statusCode(200)
                .assertThat()
                .contentType("application/json")
                .body("'id'", equalTo(11))
                .body("'item'", containsString("lamp"))
                .body("'createdAt'", containsString("2026-01-01T00:00:01.000001+00:00"))
                .body("'requestId'", containsString("cd613e30-d8f1-4adf-91b7-584a2265b1f5"))
                .body("'tags'.size()", equalTo(3))
                .body("'tags'[0]", containsString("green"));
    }

    /**
    * Calls:
    * (404) GET:/orders/{id}
    */
    @Test @Timeout(60)
    public void test_1_getOnUnknownReturns404() throws Exception {

        ValidatableResponse res_0 = given().accept("*/*")
                .get(baseUrlOfSut + "/orders/_EM_unknown")
                .then()
                .statusCode(404)
                .assertThat()
                .body("'error'", containsString("not found"))
                .body("'incident'", containsString("shop.Incident@1a2b3d"));
    }
}

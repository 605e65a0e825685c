package steady.record;

import io.restassured.RestAssured;
import io.restassured.builder.ResponseBuilder;
import io.restassured.filter.Filter;
import io.restassured.filter.FilterContext;
import io.restassured.internal.RestAssuredResponseImpl;
import io.restassured.response.Response;
import io.restassured.specification.FilterableRequestSpecification;
import io.restassured.specification.FilterableResponseSpecification;

/** Sees every exchange of RestAssured, as the test sees it. */
public final class RecordingFilter implements Filter {
    private static final RecordingFilter FILTER = new RecordingFilter();

    static void install() {
        if (!RestAssured.filters().contains(FILTER)) {
            RestAssured.filters(FILTER);
        }
    }

    @Override
    public Response filter(
            FilterableRequestSpecification request, FilterableResponseSpecification expected, FilterContext context) {
        ExchangeLog.Call call = new ExchangeLog.Call(request.getMethod(), request.getURI());
        Response response = context.next(request, expected);
        try {
            byte[] body = response.asByteArray();
            call.answered(response, body);
            return readable(response, body);
        } catch (LinkageError error) {
            return response;
        }
    }

    /** A body is read once; the test needs one of its own. */
    private static Response readable(Response response, byte[] body) {
        boolean isRead = response instanceof RestAssuredResponseImpl
                && !((RestAssuredResponseImpl) response).getHasExpectations();
        return isRead ? new ResponseBuilder().clone(response).setBody(body).build() : response;
    }
}

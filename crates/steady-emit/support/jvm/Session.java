package steady;

import io.restassured.RestAssured;
import io.restassured.config.DecoderConfig;
import io.restassured.config.HttpClientConfig;
import io.restassured.config.RedirectConfig;
import io.restassured.config.RestAssuredConfig;
import io.restassured.specification.RequestSpecification;
import java.io.IOException;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.apache.http.HttpClientConnection;
import org.apache.http.HttpException;
import org.apache.http.HttpRequest;
import org.apache.http.HttpResponse;
import org.apache.http.HttpVersion;
import org.apache.http.entity.ByteArrayEntity;
import org.apache.http.impl.NoConnectionReuseStrategy;
import org.apache.http.impl.client.DefaultHttpClient;
import org.apache.http.message.BasicHttpEntityEnclosingRequest;
import org.apache.http.message.BasicHttpRequest;
import org.apache.http.protocol.HttpContext;
import org.apache.http.protocol.HttpRequestExecutor;

/** The address of the API and the logins made so far, shared by all tests of a run. */
public final class Session {
    private static final int TIMEOUT = 30_000;

    private final String url;
    private final Map<String, Function<Api, Credentials>> identities = new HashMap<>();
    private final Map<String, Credentials> logins = new HashMap<>();
    private final Map<String, Throwable> failures = new HashMap<>();

    /** A session with the API at an address, or at {@code STEADY_URL} when it is set. */
    public Session(String url) {
        String given = System.getenv("STEADY_URL");
        this.url = (given == null || given.isEmpty() ? url : given).replaceAll("/+$", "");
    }

    /** Makes someone known that calls can be made as. */
    public Session identity(String name, Function<Api, Credentials> login) {
        identities.put(name, login);
        return this;
    }

    /** What calls made as someone carry. A login is made once, also when it fails: trying again may lock an account. */
    synchronized Credentials credentials(String name) {
        if (name == null) {
            return new Credentials();
        }
        if (!logins.containsKey(name) && !failures.containsKey(name)) {
            try {
                logins.put(name, identities.get(name).apply(new Api(this)));
            } catch (RuntimeException | AssertionError failure) {
                failures.put(name, failure);
            }
        }
        if (failures.containsKey(name)) {
            throw new AssertionError("cannot make calls as " + name, failures.get(name));
        }
        return logins.get(name);
    }

    /** Sends one request as it is and reads the whole response. */
    Answer exchange(Request request) {
        boolean isUrl = request.target.startsWith("http://") || request.target.startsWith("https://");
        String address = isUrl ? request.target : url + request.target;
        int path = address.indexOf('/', address.indexOf("://") + 3);
        String origin = path < 0 ? address : address.substring(0, path);
        String target = path < 0 ? "/" : address.substring(path);
        RestAssuredConfig config = RestAssuredConfig.config()
                .httpClient(HttpClientConfig.httpClientConfig()
                        .httpClientFactory(() -> new ExactClient(request, URI.create(origin), target)))
                .decoderConfig(DecoderConfig.decoderConfig().defaultContentCharset("UTF-8"))
                .redirect(RedirectConfig.redirectConfig().followRedirects(false));
        RequestSpecification given = RestAssured.given().config(config);
        if ("1".equals(System.getenv("STEADY_INSECURE"))) {
            given.relaxedHTTPSValidation();
        }
        return new Answer(request, given.request(request.method, origin));
    }

    /**
     * Writes a request as it is. REST Assured would put its query in another order, encode it again, and refuse bodies
     * with some methods; it is left to connect, to wait and to read.
     */
    private static final class ExactClient extends DefaultHttpClient {
        private final HttpRequest exact;

        ExactClient(Request request, URI origin, String target) {
            if (request.content == null) {
                exact = new BasicHttpRequest(request.method, target, HttpVersion.HTTP_1_1);
            } else {
                BasicHttpEntityEnclosingRequest enclosing =
                        new BasicHttpEntityEnclosingRequest(request.method, target, HttpVersion.HTTP_1_1);
                enclosing.setEntity(new ByteArrayEntity(request.content));
                exact = enclosing;
            }
            if (!request.has("host")) {
                exact.addHeader("host", origin.getRawAuthority());
            }
            request.headers.forEach(header -> exact.addHeader(header[0], header[1]));
            // A connection that is kept may be closed by the server just when it is used.
            setReuseStrategy(new NoConnectionReuseStrategy());
            getParams().setParameter("http.protocol.element-charset", "UTF-8");
            getParams().setParameter("http.protocol.cookie-policy", "ignoreCookies");
            getParams().setParameter("http.connection.timeout", TIMEOUT);
            getParams().setParameter("http.socket.timeout", TIMEOUT);
        }

        @Override
        protected HttpRequestExecutor createRequestExecutor() {
            return new HttpRequestExecutor() {
                @Override
                protected HttpResponse doSendRequest(
                        HttpRequest ignored, HttpClientConnection connection, HttpContext context)
                        throws IOException, HttpException {
                    return super.doSendRequest(exact, connection, context);
                }
            };
        }
    }
}

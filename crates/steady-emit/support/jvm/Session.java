package steady;

import io.restassured.RestAssured;
import io.restassured.config.DecoderConfig;
import io.restassured.config.HttpClientConfig;
import io.restassured.config.RedirectConfig;
import io.restassured.config.RestAssuredConfig;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.http.HttpEntity;
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
import org.opentest4j.TestAbortedException;

/** The address of the API and the logins made so far, shared by all tests of a run. */
public final class Session {
    private static final int TIMEOUT = (int) (1000 * Double.parseDouble(environment("STEADY_TIMEOUT", "30")));

    private final String url;
    private final Base base;
    private final List<String> secrets = new ArrayList<>();
    private boolean isToldOf;
    private final Map<String, Function<Api, Credentials>> identities = new HashMap<>();
    private final Map<String, Credentials> logins = new HashMap<>();
    private final Map<String, Throwable> failures = new HashMap<>();

    /** A session with the API at an address, or at {@code STEADY_URL} when it is set. */
    public Session(String url) {
        this.url = environment("STEADY_URL", url).replaceAll("/+$", "");
        this.base = new Base(this.url);
    }

    private static String environment(String name, String otherwise) {
        String given = System.getenv(name);
        return given == null || given.isEmpty() ? otherwise : given;
    }

    /** The address of the API. */
    public Base base() {
        return base;
    }

    /** Makes a secret known that the tests take from the environment. */
    public Session needs(String secret) {
        secrets.add(secret);
        return this;
    }

    /** Fails when the environment lacks secrets. That is said once; what comes after it is skipped. */
    public synchronized void requireSecrets() {
        String missing = secrets.stream().filter(name -> System.getenv(name) == null).collect(Collectors.joining(", "));
        if (!missing.isEmpty() && isToldOf) {
            throw new TestAbortedException("the environment lacks secrets");
        }
        if (!missing.isEmpty()) {
            isToldOf = true;
            throw new IllegalStateException(
                    "set these environment variables, the tests need their values: " + missing);
        }
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
        ExactClient client = new ExactClient(request, URI.create(origin), target);
        RestAssuredConfig config = RestAssuredConfig.config()
                .httpClient(HttpClientConfig.httpClientConfig().httpClientFactory(() -> client))
                .decoderConfig(DecoderConfig.decoderConfig().defaultContentCharset("UTF-8").noContentDecoders())
                .redirect(RedirectConfig.redirectConfig().followRedirects(false));
        RequestSpecification given = RestAssured.given().config(config);
        if ("1".equals(System.getenv("STEADY_INSECURE"))) {
            given.relaxedHTTPSValidation();
        }
        Response response = given.request(request.method, origin);
        return new Answer(request, response, client.isCut);
    }

    /**
     * Writes a request as it is. REST Assured would put its query in another order, encode it again, and refuse bodies
     * with some methods; it is left to connect, to wait and to read.
     */
    private static final class ExactClient extends DefaultHttpClient {
        private static final ScheduledExecutorService CLOCK = Executors.newSingleThreadScheduledExecutor(work -> {
            Thread thread = new Thread(work, "response deadlines");
            thread.setDaemon(true);
            return thread;
        });

        private final HttpRequest exact;
        private boolean isCut;

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

                @Override
                protected HttpResponse doReceiveResponse(
                        HttpRequest request, HttpClientConnection connection, HttpContext context)
                        throws IOException, HttpException {
                    // A server can keep a client busy without end, byte by byte.
                    AtomicBoolean isLate = new AtomicBoolean();
                    ScheduledFuture<?> deadline = CLOCK.schedule(
                            () -> {
                                isLate.set(true);
                                shutDown(connection);
                            },
                            TIMEOUT,
                            TimeUnit.MILLISECONDS);
                    try {
                        return complete(super.doReceiveResponse(request, connection, context), connection);
                    } catch (IOException error) {
                        if (isLate.get()) {
                            String late = exact.getRequestLine().getMethod() + " " + exact.getRequestLine().getUri()
                                    + ": the response was not complete after " + TIMEOUT / 1000 + " seconds";
                            throw new IOException(late, error);
                        }
                        throw error;
                    } finally {
                        deadline.cancel(false);
                    }
                }
            };
        }

        /** The response with its whole body, or as much as may be read of it. */
        private HttpResponse complete(HttpResponse response, HttpClientConnection connection) throws IOException {
            HttpEntity entity = response.getEntity();
            if (entity == null) {
                return response;
            }
            List<String> codings = Arrays.stream(response.getHeaders("content-encoding"))
                    .flatMap(header -> Arrays.stream(header.getValue().split(",")))
                    .map(coding -> coding.trim().toLowerCase(Locale.ROOT))
                    .collect(Collectors.toList());
            Content content = Content.read(entity.getContent(), codings);
            isCut = content.isCut;
            if (isCut) {
                shutDown(connection);
            }
            ByteArrayEntity read = new ByteArrayEntity(isCut ? new byte[0] : content.bytes);
            read.setContentType(entity.getContentType());
            response.setEntity(read);
            return response;
        }

        private static void shutDown(HttpClientConnection connection) {
            try {
                connection.shutdown();
            } catch (IOException error) {
                // It is gone already.
            }
        }
    }
}

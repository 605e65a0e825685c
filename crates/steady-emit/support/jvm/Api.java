package steady;

import java.util.ArrayDeque;
import java.util.Deque;

/** Makes calls: {@code api.get("/orders")}, {@code api.actingAs("alice").post("/orders", json(object()))}. */
public final class Api {
    private final Session session;
    private final Deque<Runnable> left;
    private final String identity;
    private final boolean later;

    /** A client for one test. */
    public Api(Session session) {
        this(session, new ArrayDeque<>(), null, false);
    }

    private Api(Session session, Deque<Runnable> left, String identity, boolean later) {
        this.session = session;
        this.left = left;
        this.identity = identity;
        this.later = later;
    }

    /** The same client, as someone. */
    public Api actingAs(String name) {
        return new Api(session, left, name, later);
    }

    /** The address of the API. */
    public Base base() {
        return session.base();
    }

    /** The same client, for calls to be made when the test is over. Their answers do not matter. */
    public Api cleanup() {
        return new Api(session, left, identity, true);
    }

    /** Makes the calls left to {@link #cleanup}, last left first made. */
    public void finish() {
        while (!left.isEmpty()) {
            try {
                left.pop().run();
            } catch (RuntimeException error) {
                // Nobody waits for a clean-up's answer, and one that fails must not stop the others.
            }
        }
    }

    public Answer get(String target, RequestPart... parts) {
        return send("GET", target, parts);
    }

    public Answer put(String target, RequestPart... parts) {
        return send("PUT", target, parts);
    }

    public Answer post(String target, RequestPart... parts) {
        return send("POST", target, parts);
    }

    public Answer delete(String target, RequestPart... parts) {
        return send("DELETE", target, parts);
    }

    public Answer options(String target, RequestPart... parts) {
        return send("OPTIONS", target, parts);
    }

    public Answer head(String target, RequestPart... parts) {
        return send("HEAD", target, parts);
    }

    public Answer patch(String target, RequestPart... parts) {
        return send("PATCH", target, parts);
    }

    public Answer trace(String target, RequestPart... parts) {
        return send("TRACE", target, parts);
    }

    private Answer send(String method, String target, RequestPart... parts) {
        Request request = new Request(method, target, parts);
        if (later) {
            left.push(() -> exchange(request));
            return null;
        }
        return exchange(request);
    }

    private Answer exchange(Request request) {
        return session.exchange(request.complete(session.credentials(identity)));
    }
}

package steady;

/** Something a request carries: a header, a body. */
@FunctionalInterface
public interface RequestPart {
    /** Adds it to a request. */
    void addTo(Request request);
}

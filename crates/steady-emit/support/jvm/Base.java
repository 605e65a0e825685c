package steady;

import java.util.Locale;

/** The address of the API in its parts: what it says about itself is another thing on every address. */
public final class Base {
    private final String origin;
    private final String path;

    Base(String url) {
        int authority = url.indexOf("://") + 3;
        int end = url.indexOf('/', authority);
        String start = (end < 0 ? url : url.substring(0, end)).toLowerCase(Locale.ROOT);
        String port = start.startsWith("https:") ? ":443" : ":80";
        origin = start.endsWith(port) ? start.substring(0, start.length() - port.length()) : start;
        path = end < 0 ? "" : url.substring(end);
    }

    /** All of it, without a slash at the end. */
    public String url() {
        return origin + path;
    }

    /** Scheme, host and port. */
    public String origin() {
        return origin;
    }

    /** Host and port. */
    public String authority() {
        return origin.substring(origin.indexOf("://") + 3);
    }

    /** The path all targets stand under: empty, or beginning and not ending with a slash. */
    public String path() {
        return path;
    }
}

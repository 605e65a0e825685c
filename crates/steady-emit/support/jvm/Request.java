package steady;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** A request, as it goes over the wire. */
final class Request {
    final String method;
    final String target;
    final List<String[]> headers = new ArrayList<>();
    byte[] content;
    private String contentType;

    Request(String method, String target, RequestPart... parts) {
        this.method = method;
        this.target = target;
        for (RequestPart part : parts) {
            part.addTo(this);
        }
    }

    void header(String name, String value) {
        // The length is known from the content, and a wrong one would garble the connection.
        if (!Set.of("content-length", "transfer-encoding").contains(name.toLowerCase(Locale.ROOT))) {
            headers.add(new String[] {name, value});
        }
    }

    void body(byte[] content, String contentType) {
        this.content = content;
        this.contentType = contentType;
    }

    boolean has(String name) {
        return headers.stream().anyMatch(header -> header[0].equalsIgnoreCase(name));
    }

    /** The request with what someone's calls carry, and with what every call carries unless it says otherwise. */
    Request complete(Credentials credentials) {
        String target = this.target;
        for (String[] parameter : credentials.query) {
            String separator = target.contains("?") ? "&" : "?";
            target += separator + Steady.path(parameter[0]) + "=" + Steady.path(parameter[1]);
        }
        Request complete = new Request(method, target);
        complete.content = content;
        complete.headers.addAll(headers);
        for (String[] header : credentials.headers) {
            if (!has(header[0])) {
                complete.headers.add(header);
            }
        }
        if (!credentials.cookies.isEmpty()) {
            List<String> cookies = new ArrayList<>();
            complete.headers.stream().filter(Request::isCookie).forEach(header -> cookies.add(header[1]));
            complete.headers.removeIf(Request::isCookie);
            cookies.addAll(credentials.cookies);
            complete.headers.add(new String[] {"cookie", String.join("; ", cookies)});
        }
        complete.otherwise("accept", "*/*");
        complete.otherwise("accept-encoding", "gzip, deflate");
        complete.otherwise("accept-language", "en");
        if (content != null) {
            complete.otherwise("content-type", contentType);
        }
        if (content != null || Set.of("POST", "PUT", "PATCH").contains(method)) {
            complete.headers.add(new String[] {"content-length", String.valueOf(content == null ? 0 : content.length)});
        }
        return complete;
    }

    private static boolean isCookie(String[] header) {
        return header[0].equalsIgnoreCase("cookie");
    }

    private void otherwise(String name, String value) {
        if (!has(name)) {
            headers.add(new String[] {name, value});
        }
    }

    @Override
    public String toString() {
        return method + " " + target;
    }
}

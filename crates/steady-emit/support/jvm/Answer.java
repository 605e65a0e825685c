package steady;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.restassured.http.Header;
import io.restassured.response.Response;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** A response: its status, its headers by name, its body by JSON pointer. */
public final class Answer {
    private final Request request;
    private final Response response;
    private final byte[] content;
    private final boolean isCut;
    private boolean isJson;
    private Object document = Found.ABSENT;

    Answer(Request request, Response response, boolean isCut) {
        this.request = request;
        this.response = response;
        this.content = response.asByteArray();
        this.isCut = isCut;
        read();
    }

    /** The response as REST Assured sees it. */
    public Response raw() {
        return response;
    }

    /** The status code. */
    public Found status() {
        return new Found(this, "status", response.getStatusCode());
    }

    /** The content type without its parameters, in lower case. */
    public Found mediaType() {
        String type = contentType();
        return new Found(this, "media type", type.isEmpty() ? Found.ABSENT : type);
    }

    /** The first value of a header. */
    public Found header(String name) {
        List<String> values = all(name);
        return new Found(this, "header:" + name, values.isEmpty() ? Found.ABSENT : values.get(0));
    }

    /** The value at a JSON pointer of the body; a text body is one value at the root, {@code ""}. */
    public Found at(String pointer) {
        if (isCut) {
            throw new AssertionError(this + "\nthe body is larger than " + Content.LARGEST + " bytes and was cut");
        }
        return new Found(this, "body:" + pointer, lookUp(pointer));
    }

    /** The cookies that a login sets, as {@code name=value}; the last one of a name counts. */
    Collection<String> cookies() {
        Map<String, String> cookies = new LinkedHashMap<>();
        for (String header : all("set-cookie")) {
            String pair = header.split(";", 2)[0].trim();
            if (pair.contains("=")) {
                cookies.put(pair.substring(0, pair.indexOf('=')), pair);
            }
        }
        if (cookies.isEmpty() || response.getStatusCode() >= 400) {
            throw new AssertionError(this + "\nsets no cookie");
        }
        return cookies.values();
    }

    @Override
    public String toString() {
        String body = new String(content, 0, Math.min(content.length, 300), StandardCharsets.UTF_8);
        return request + " -> " + response.getStatusCode() + " " + body + (content.length > 300 ? "…" : "");
    }

    private List<String> all(String name) {
        return response.getHeaders().asList().stream()
                .filter(header -> header.getName().equalsIgnoreCase(name))
                .map(Header::getValue)
                .collect(Collectors.toList());
    }

    private String contentType() {
        List<String> values = all("content-type");
        return values.isEmpty() ? "" : values.get(0).split(";", 2)[0].trim().toLowerCase(Locale.ROOT);
    }

    private void read() {
        if (content.length == 0) {
            return;
        }
        String text;
        try {
            text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(content)).toString();
        } catch (CharacterCodingException error) {
            document = Base64.getEncoder().encodeToString(content);
            return;
        }
        document = text;
        String type = contentType();
        if (type.equals("application/json") || type.equals("text/json") || type.endsWith("+json")) {
            try {
                Object value = Steady.read(text);
                isJson = Values.areSound(value);
                document = isJson ? value : text;
            } catch (JsonProcessingException error) {
                // What says it is JSON and is not is text.
            }
        }
    }

    private Object lookUp(String pointer) {
        return pointer.isEmpty() || isJson ? Values.at(document, pointer) : Found.ABSENT;
    }
}

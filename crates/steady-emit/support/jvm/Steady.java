package steady;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.math.BigInteger;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** What tests say with: values, and the parts of a request. */
public final class Steady {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final ObjectMapper JSON = mapper();

    private Steady() {}

    /** A secret from the environment; {@link Session#requireSecrets} has seen to it that it is there. */
    public static String env(String name) {
        return System.getenv(name);
    }

    /** A value of this run's own, so that a test can create the same thing twice. */
    public static String fresh(String prefix, int length) {
        return fresh(prefix, length, "");
    }

    /** A value of this run's own that ends as it should. */
    public static String fresh(String prefix, int length, String suffix) {
        StringBuilder value = new StringBuilder(prefix);
        for (int at = 0; at < length; at++) {
            value.append("abcdefghijklmnopqrstuvwxyz0123456789".charAt(RANDOM.nextInt(36)));
        }
        return value.append(suffix).toString();
    }

    /** A value as it stands in a header or a URL: strings as they are, anything else as JSON. */
    public static String text(Object value) {
        return value instanceof String ? (String) value : compact(value);
    }

    /** A value percent-encoded, so that it stays within its path segment or query parameter. */
    public static String path(Object value) {
        String encoded = URLEncoder.encode(text(value), StandardCharsets.UTF_8);
        return encoded.replace("+", "%20").replace("*", "%2A").replace("%7E", "~");
    }

    /** A value as within a JSON string, slashes escaped. */
    public static String jsonText(String value) {
        String quoted = compact(value);
        return quoted.substring(1, quoted.length() - 1).replace("/", "\\/");
    }

    /** A value in base64. */
    public static String base64Text(String value) {
        return Base64.getEncoder().encodeToString(value.getBytes(StandardCharsets.UTF_8));
    }

    /** A value within a pattern: each of its characters means itself. */
    public static String escaped(Object value) {
        return Pattern.quote(text(value));
    }

    /** A JSON object: names and values in turn. */
    public static Map<String, Object> object(Object... fields) {
        Map<String, Object> object = new LinkedHashMap<>();
        for (int at = 0; at < fields.length; at += 2) {
            object.put((String) fields[at], fields[at + 1]);
        }
        return object;
    }

    /** A JSON array. */
    public static List<Object> array(Object... items) {
        return new ArrayList<>(Arrays.asList(items));
    }

    /** A JSON value too large to be written piece by piece; then, in turn, JSON pointers and what to put there. */
    public static Object parsed(String json, Object... replaced) {
        try {
            Object value = read(json);
            for (int at = 0; at < replaced.length; at += 2) {
                Values.replace(value, (String) replaced[at], replaced[at + 1]);
            }
            return value;
        } catch (JsonProcessingException error) {
            throw new IllegalArgumentException(error);
        }
    }

    /** An integer too large for a long. */
    public static BigInteger integer(String digits) {
        return new BigInteger(digits);
    }

    /** A string too long for one literal. */
    public static String joined(Object... pieces) {
        StringBuilder joined = new StringBuilder();
        for (Object piece : pieces) {
            joined.append(piece);
        }
        return joined.toString();
    }

    /** Bytes from base64. */
    public static byte[] bytes(String base64) {
        return Base64.getDecoder().decode(base64);
    }

    /** A request's header. */
    public static RequestPart header(String name, Object value) {
        return request -> request.header(name, text(value));
    }

    /** A body of JSON. */
    public static RequestPart json(Object value) {
        return request -> request.body(compact(value).getBytes(StandardCharsets.UTF_8), "application/json");
    }

    /** A form: names and values in turn. */
    public static RequestPart form(Object... fields) {
        List<String> pairs = new ArrayList<>();
        for (int at = 0; at < fields.length; at += 2) {
            String name = URLEncoder.encode((String) fields[at], StandardCharsets.UTF_8);
            pairs.add(name + "=" + URLEncoder.encode(text(fields[at + 1]), StandardCharsets.UTF_8));
        }
        byte[] content = String.join("&", pairs).getBytes(StandardCharsets.UTF_8);
        return request -> request.body(content, "application/x-www-form-urlencoded");
    }

    /** A body of several parts. */
    public static RequestPart multipart(Multipart... parts) {
        return request -> {
            String boundary = fresh("steady-", 32);
            request.body(Multipart.joined(parts, boundary), "multipart/form-data; boundary=" + boundary);
        };
    }

    /** A part of a multipart body. */
    public static Multipart part(String name, Object content) {
        return new Multipart(name, raw(content));
    }

    /** A body of text or bytes. */
    public static RequestPart body(Object content, String contentType) {
        return request -> request.body(raw(content), contentType);
    }

    private static byte[] raw(Object content) {
        return content instanceof byte[] ? (byte[]) content : text(content).getBytes(StandardCharsets.UTF_8);
    }

    /** JSON without spaces. */
    static String compact(Object value) {
        try {
            return JSON.writeValueAsString(value);
        } catch (JsonProcessingException error) {
            throw new IllegalArgumentException(error);
        }
    }

    /** Reads JSON strictly: no infinite numbers, no broken characters, no absurd nesting. */
    static Object read(String json) throws JsonProcessingException {
        return JSON.readValue(json, Object.class);
    }

    private static ObjectMapper mapper() {
        StreamReadConstraints limits = StreamReadConstraints.builder()
                .maxNestingDepth(127)
                .maxNumberLength(Integer.MAX_VALUE)
                .maxStringLength(Integer.MAX_VALUE)
                .maxNameLength(Integer.MAX_VALUE)
                .build();
        JsonFactory factory = JsonFactory.builder().streamReadConstraints(limits).build();
        return new ObjectMapper(factory).enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
    }
}

package steady;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;

/** A JSON web token: what it says about itself, and what it claims. */
final class Jwt {
    private final Map<?, ?> header;
    private final Map<?, ?> claims;

    private Jwt(Map<?, ?> header, Map<?, ?> claims) {
        this.header = header;
        this.claims = claims;
    }

    /** Reads a token; null when the value is none. */
    static Jwt of(Object value) {
        String[] parts = value instanceof String ? ((String) value).split("\\.", -1) : new String[0];
        if (parts.length != 3) {
            return null;
        }
        try {
            decoded(parts[2]);
            Object header = read(parts[0]);
            Object claims = read(parts[1]);
            boolean areObjects = header instanceof Map && claims instanceof Map;
            boolean areSound = Values.areSound(header) && Values.areSound(claims);
            return areObjects && areSound ? new Jwt((Map<?, ?>) header, (Map<?, ?>) claims) : null;
        } catch (IllegalArgumentException | CharacterCodingException | JsonProcessingException error) {
            return null;
        }
    }

    /** Whether it has at least these fields. */
    boolean has(Map<?, ?> header, Map<?, ?> claims) {
        return contains(this.header, header) && contains(this.claims, claims);
    }

    private static boolean contains(Map<?, ?> actual, Map<?, ?> expected) {
        return expected.entrySet().stream()
                .allMatch(field -> actual.containsKey(field.getKey())
                        && Values.same(actual.get(field.getKey()), field.getValue()));
    }

    private static Object read(String part) throws CharacterCodingException, JsonProcessingException {
        ByteBuffer content = ByteBuffer.wrap(decoded(part));
        return Steady.read(StandardCharsets.UTF_8.newDecoder().decode(content).toString());
    }

    private static byte[] decoded(String part) {
        byte[] content = Base64.getUrlDecoder().decode(part);
        if (!Base64.getUrlEncoder().withoutPadding().encodeToString(content).equals(part)) {
            throw new IllegalArgumentException("not base64url");
        }
        return content;
    }
}

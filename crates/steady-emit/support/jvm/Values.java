package steady;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** How JSON values are compared, and what is where in them. */
final class Values {
    private Values() {}

    /** Whether two values are the same: numbers by value, so 1 is 1.0, but true is not 1. */
    static boolean same(Object left, Object right) {
        if (left instanceof Number && right instanceof Number) {
            return exact((Number) left).compareTo(exact((Number) right)) == 0;
        }
        if (left instanceof List && right instanceof List) {
            Iterator<?> others = ((List<?>) right).iterator();
            return ((List<?>) left).size() == ((List<?>) right).size()
                    && ((List<?>) left).stream().allMatch(item -> same(item, others.next()));
        }
        if (left instanceof Map && right instanceof Map) {
            Map<?, ?> others = (Map<?, ?>) right;
            return ((Map<?, ?>) left).keySet().equals(others.keySet())
                    && ((Map<?, ?>) left).entrySet().stream()
                            .allMatch(field -> same(field.getValue(), others.get(field.getKey())));
        }
        return left == null ? right == null : left.equals(right);
    }

    /** The same text for the same value: numbers by value, objects by their sorted names. */
    static String canonical(Object value) {
        if (value instanceof Number) {
            return exact((Number) value).stripTrailingZeros().toString();
        }
        if (value instanceof List) {
            return ((List<?>) value).stream().map(Values::canonical).collect(Collectors.joining(",", "[", "]"));
        }
        if (value instanceof Map) {
            return ((Map<?, ?>) value).entrySet().stream()
                    .map(field -> Steady.compact(field.getKey()) + ":" + canonical(field.getValue()))
                    .sorted()
                    .collect(Collectors.joining(",", "{", "}"));
        }
        return Steady.compact(value);
    }

    /** The JSON type of a value. */
    static String typeOf(Object value) {
        if (value instanceof Number) {
            return exact((Number) value).stripTrailingZeros().scale() <= 0 ? "integer" : "number";
        }
        return value == null ? "null"
                : value instanceof Boolean ? "boolean"
                : value instanceof String ? "string"
                : value instanceof List ? "array"
                : "object";
    }

    /** Whether there are no infinite numbers and no broken characters in it. */
    static boolean areSound(Object value) {
        if (value instanceof List) {
            return ((List<?>) value).stream().allMatch(Values::areSound);
        }
        if (value instanceof Map) {
            return ((Map<?, ?>) value).entrySet().stream()
                    .allMatch(field -> areSound(field.getKey()) && areSound(field.getValue()));
        }
        if (value instanceof String) {
            return StandardCharsets.UTF_8.newEncoder().canEncode((String) value);
        }
        return !(value instanceof Number) || Double.isFinite(((Number) value).doubleValue());
    }

    /** The value that a JSON pointer leads to; {@code Found.ABSENT} when there is none. */
    static Object at(Object root, String pointer) {
        Object value = root;
        String[] tokens = pointer.split("/", -1);
        for (int at = 1; at < tokens.length; at++) {
            String token = unescaped(tokens[at]);
            if (value instanceof Map && ((Map<?, ?>) value).containsKey(token)) {
                value = ((Map<?, ?>) value).get(token);
            } else if (value instanceof List && token.matches("0|[1-9][0-9]{0,8}")
                    && Integer.parseInt(token) < ((List<?>) value).size()) {
                value = ((List<?>) value).get(Integer.parseInt(token));
            } else {
                return Found.ABSENT;
            }
        }
        return value;
    }

    /** Puts something in the place of the value that a JSON pointer leads to. */
    @SuppressWarnings("unchecked")
    static void replace(Object value, String pointer, Object replacement) {
        int last = pointer.lastIndexOf('/');
        String token = unescaped(pointer.substring(last + 1));
        Object holder = at(value, pointer.substring(0, last));
        if (holder instanceof List) {
            ((List<Object>) holder).set(Integer.parseInt(token), replacement);
        } else {
            ((Map<String, Object>) holder).put(token, replacement);
        }
    }

    private static String unescaped(String token) {
        return token.replace("~1", "/").replace("~0", "~");
    }

    /** The number's value; integers beyond 64 bits are rounded, as floats are. */
    static BigDecimal exact(Number number) {
        if (number instanceof Double || number instanceof Float) {
            return new BigDecimal(number.doubleValue());
        }
        BigInteger integer = new BigInteger(number.toString());
        boolean fits = integer.bitLength() <= 63 || (integer.signum() > 0 && integer.bitLength() <= 64);
        return fits ? new BigDecimal(integer) : new BigDecimal(integer.doubleValue());
    }
}

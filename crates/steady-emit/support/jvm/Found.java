package steady;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.opentest4j.AssertionFailedError;

/** What a response holds at a place, and what can be stated about it. */
public final class Found {
    static final Object ABSENT = new Object();

    /** By how much of its size a sum or product may miss: as much as floating-point arithmetic loses. */
    private static final double ROUNDING = 1e-9;

    private final Answer answer;
    private final String place;
    private final Object value;

    Found(Answer answer, String place, Object value) {
        this.answer = answer;
        this.place = place;
        this.value = value;
    }

    /** The value equals this one; numbers by value, so 1 is 1.0, but true is not 1. */
    public void is(Object expected) {
        require(Values.same(value, expected), Steady.compact(expected));
    }

    /** The value equals the one found elsewhere. */
    public void isSameAs(Found other) {
        String expected = other.value == ABSENT ? "the same as nothing" : Steady.compact(other.value);
        require(value != ABSENT && Values.same(value, other.value), expected);
    }

    /** The value is the sum of the numbers found elsewhere, but for rounding. */
    public void isSumOf(Found... terms) {
        isComputed("sum", terms, DoubleStream::sum);
    }

    /** The value is the product of the numbers found elsewhere, but for rounding. */
    public void isProductOf(Found... factors) {
        isComputed("product", factors, numbers -> numbers.reduce(1, (product, factor) -> product * factor));
    }

    /** The value is how many items the array found elsewhere has. */
    public void isSizeOf(Found array) {
        Object size = array.value instanceof List ? ((List<?>) array.value).size() : null;
        require(size != null && Values.same(value, size), size + ", the size of an array");
    }

    /** An array of these items is there, in any order. */
    public void hasInAnyOrder(Object items) {
        require(value instanceof List && sorted(value).equals(sorted(items)), "in any order " + Steady.compact(items));
    }

    /** The value is one of these. */
    public void isOneOf(Object values) {
        boolean holds = ((List<?>) values).stream().anyMatch(other -> Values.same(value, other));
        require(holds, "one of " + Steady.compact(values));
    }

    /** The value is text that the pattern describes whole. */
    public void matches(String pattern, String what) {
        boolean holds = value instanceof String && Pattern.compile(pattern).matcher((String) value).matches();
        require(holds, what + ", matching " + pattern);
    }

    /** The value is a JSON web token whose header and claims have at least these fields. */
    public void isJwt(Object header, Object claims) {
        Jwt token = Jwt.of(value);
        require(
                token != null && token.has((Map<?, ?>) header, (Map<?, ?>) claims),
                "a JSON web token with the header " + Steady.compact(header) + " and the claims "
                        + Steady.compact(claims));
    }

    /** The value is a time of this format, near the one the response was given at. */
    public void isRecent(String format) {
        Double moment = Moment.of(value, format);
        Double date = Moment.of(answer.header("date").value, "http");
        double given = date == null ? System.currentTimeMillis() / 1000.0 : date;
        require(
                moment != null && Math.abs(moment - given) <= Moment.RECENT,
                "a time as " + format + ", " + Moment.RECENT + " seconds from " + Instant.ofEpochSecond((long) given)
                        + " at most");
    }

    /** The value is this number or a larger one. */
    public void isAtLeast(Number least) {
        require(value instanceof Number && compared(least) >= 0, "a number from " + least);
    }

    /** The value is this number or a smaller one. */
    public void isAtMost(Number most) {
        require(value instanceof Number && compared(most) <= 0, "a number up to " + most);
    }

    /** The value is a number between these, which it may equal. */
    public void isBetween(Number least, Number most) {
        boolean holds = value instanceof Number && compared(least) >= 0 && compared(most) <= 0;
        require(holds, "a number from " + least + " to " + most);
    }

    /** An array of this length is there. */
    public void hasSize(int size) {
        require(value instanceof List && ((List<?>) value).size() == size, "an array of " + size);
    }

    /** A value of this JSON type is there; every integer is a number. */
    public void isA(String type) {
        String actual = value == ABSENT ? "nothing" : Values.typeOf(value);
        require(actual.equals(type) || (type.equals("number") && actual.equals("integer")), "the type " + type);
    }

    /** A value is there, null included. */
    public void isPresent() {
        require(value != ABSENT, "a value");
    }

    /** Nothing is there; at the body's root: no body. */
    public void isAbsent() {
        require(value == ABSENT, "nothing");
    }

    /** The value itself; the test fails when there is none. */
    public Object value() {
        require(value != ABSENT && value != null, "a value");
        return value;
    }

    /** The last segment of a URL's path, decoded: the id at the end of a {@code Location}. */
    public Object lastSegment() {
        if (!(value() instanceof String)) {
            return value;
        }
        String path = ((String) value).split("[?#]", 2)[0].replaceFirst("^[A-Za-z][A-Za-z0-9+.-]*://[^/]*", "");
        String segment = path.replaceAll("/+$", "").replaceAll("^.*/", "");
        require(!segment.isEmpty(), "a path that ends in something");
        return URLDecoder.decode(segment.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    private void isComputed(String name, Found[] others, ToDoubleFunction<DoubleStream> compute) {
        boolean areNumbers = Stream.of(others).allMatch(other -> other.value instanceof Number);
        if (!areNumbers) {
            require(false, "the " + name + " of numbers, one of which is none");
        }
        double expected = compute.applyAsDouble(
                Stream.of(others).mapToDouble(other -> ((Number) other.value).doubleValue()));
        double actual = value instanceof Number ? ((Number) value).doubleValue() : Double.NaN;
        double largest = Math.max(1, Math.max(Math.abs(actual), Math.abs(expected)));
        require(Math.abs(actual - expected) <= ROUNDING * largest, expected + ", the " + name + " of other values");
    }

    private int compared(Number bound) {
        return Values.exact((Number) value).compareTo(Values.exact(bound));
    }

    private static List<String> sorted(Object items) {
        return ((List<?>) items).stream().map(Values::canonical).sorted().collect(Collectors.toList());
    }

    private void require(boolean holds, String expected) {
        if (!holds) {
            String actual = value == ABSENT ? "nothing" : Steady.compact(value);
            throw new AssertionFailedError(
                    place + ": expected " + shortened(expected) + ", got " + shortened(actual) + "\n" + answer,
                    expected,
                    actual);
        }
    }

    private static String shortened(String text) {
        return text.length() <= 300 ? text : text.substring(0, 300) + "…";
    }
}

package steady;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.opentest4j.AssertionFailedError;

/** What a response holds at a place, and what can be stated about it. */
public final class Found {
    static final Object ABSENT = new Object();

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

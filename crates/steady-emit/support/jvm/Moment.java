package steady;

import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads moments however they are written. */
final class Moment {
    /** How many seconds a recent time may be away from the response's Date, or from now when it has none. */
    static final int RECENT = 3600;

    private static final String CLOCK = "([0-9]{2}):([0-9]{2}):([0-9]{2})";
    private static final Pattern RFC3339 = Pattern.compile("([0-9]{4})-([0-9]{2})-([0-9]{2})[Tt ]" + CLOCK
            + "(\\.[0-9]+)?(?:[Zz]|([+-])([0-9]{2}):([0-9]{2}))");
    private static final Pattern HTTP =
            Pattern.compile("[A-Z][a-z]{2}, ([0-9]{2}) ([A-Z][a-z]{2}) ([0-9]{4}) " + CLOCK + " GMT");
    private static final List<String> MONTHS =
            List.of("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec");
    private static final Map<String, Double> UNITS =
            Map.of("seconds", 1.0, "milliseconds", 1e3, "microseconds", 1e6, "nanoseconds", 1e9);

    private Moment() {}

    /** Seconds since 1970; null when the value is no time of this format. */
    static Double of(Object value, String format) {
        try {
            if (UNITS.containsKey(format)) {
                return counted(value) / UNITS.get(format);
            }
            String text = value instanceof String ? (String) value : "";
            return format.equals("http") ? http(text) : rfc3339(text);
        } catch (DateTimeException error) {
            return null;
        }
    }

    private static double counted(Object value) {
        if (value instanceof Number) {
            return ((Number) value).doubleValue();
        }
        require(value instanceof String && ((String) value).matches("[0-9]+(\\.[0-9]+)?"));
        return Double.parseDouble((String) value);
    }

    private static double http(String text) {
        Matcher found = HTTP.matcher(text);
        require(found.matches());
        return seconds(found.group(3), MONTHS.indexOf(found.group(2)) + 1, found.group(1), found, 4);
    }

    private static double rfc3339(String text) {
        Matcher found = RFC3339.matcher(text);
        require(found.matches());
        double time = seconds(found.group(1), Integer.parseInt(found.group(2)), found.group(3), found, 4);
        double fraction = found.group(7) == null ? 0 : Double.parseDouble(found.group(7));
        int hours = found.group(9) == null ? 0 : Integer.parseInt(found.group(9));
        int minutes = found.group(10) == null ? 0 : Integer.parseInt(found.group(10));
        require(hours < 24 && minutes < 60);
        int offset = hours * 3600 + minutes * 60;
        return time + fraction - ("-".equals(found.group(8)) ? -offset : offset);
    }

    /** The seconds from 1970 to a day, and to the time of day whose groups begin at one. */
    private static double seconds(String year, int month, String day, Matcher found, int clock) {
        int hour = Integer.parseInt(found.group(clock));
        int minute = Integer.parseInt(found.group(clock + 1));
        int second = Integer.parseInt(found.group(clock + 2));
        // The 60th is a leap second.
        require(second <= 60);
        LocalDateTime start = LocalDateTime.of(Integer.parseInt(year), month, Integer.parseInt(day), hour, minute);
        return start.toEpochSecond(ZoneOffset.UTC) + second;
    }

    private static void require(boolean holds) {
        if (!holds) {
            throw new DateTimeException("not a time of this format");
        }
    }
}

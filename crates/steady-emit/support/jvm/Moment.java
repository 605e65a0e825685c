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

    // Minutes, seconds, colons and hyphens may be missing, and a zone may be named: that is how many write it.
    private static final Pattern RFC3339 = Pattern.compile(
            "(?<year>[0-9]{4})-?(?<month>[0-9]{2})-?(?<day>[0-9]{2})[Tt ](?<hour>[0-9]{2})"
                    + "(?::?(?<minute>[0-9]{2})(?::?(?<second>[0-9]{2})(?:[.,](?<fraction>[0-9]{1,9}))?)?)?"
                    + "(?:[Zz]|(?<sign>[+-])(?<hours>[0-9]{2})(?::?(?<minutes>[0-9]{2}))?)(?:\\[[^\\]]*\\])*");
    private static final Pattern HTTP = Pattern.compile(
            "(?:[A-Z][a-z]{2}, )?(?<day>[0-9]{1,2}) (?<month>[A-Z][a-z]{2}) (?<year>[0-9]{4}) "
                    + "(?<hour>[0-9]{2}):(?<minute>[0-9]{2})(?::(?<second>[0-9]{2}))?(?<fraction>) "
                    + "(?:GMT|UTC?|Z|(?<sign>[+-])(?<hours>[0-9]{2})(?<minutes>[0-9]{2}))");
    private static final List<String> MONTHS =
            List.of("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec");
    private static final Map<String, Double> UNITS =
            Map.of("seconds", 1.0, "milliseconds", 1e3, "microseconds", 1e6, "nanoseconds", 1e9);

    private Moment() {}

    /** Seconds since 1970; null when the value is no time of this format. */
    static Double of(Object value, String format) {
        String text = value instanceof String ? (String) value : "";
        if (!UNITS.containsKey(format)) {
            Matcher found = (format.equals("http") ? HTTP : RFC3339).matcher(text);
            return found.matches() ? seconds(found) : null;
        }
        if (value instanceof Number) {
            return ((Number) value).doubleValue() / UNITS.get(format);
        }
        return text.matches("[0-9]+(\\.[0-9]+)?") ? Double.parseDouble(text) / UNITS.get(format) : null;
    }

    private static Double seconds(Matcher found) {
        String month = found.group("month");
        int second = number(found, "second");
        int hours = number(found, "hours");
        int minutes = number(found, "minutes");
        // The 60th is a leap second.
        if (second > 60 || hours > 23 || minutes > 59) {
            return null;
        }
        try {
            LocalDateTime start = LocalDateTime.of(
                    number(found, "year"),
                    Character.isDigit(month.charAt(0)) ? Integer.parseInt(month) : MONTHS.indexOf(month) + 1,
                    number(found, "day"),
                    number(found, "hour"),
                    number(found, "minute"));
            int offset = (hours * 3600 + minutes * 60) * ("-".equals(found.group("sign")) ? -1 : 1);
            String fraction = found.group("fraction") == null ? "" : found.group("fraction");
            return start.toEpochSecond(ZoneOffset.UTC) + second + Double.parseDouble("0." + fraction + "0") - offset;
        } catch (DateTimeException error) {
            return null;
        }
    }

    private static int number(Matcher found, String name) {
        String digits = found.group(name);
        return digits == null ? 0 : Integer.parseInt(digits);
    }
}

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.util.Date;

/** Imitates a service: for every line it reads, it says what each of its clocks shows. */
class Clock {
    public static void main(String[] arguments) throws Exception {
        var input = new BufferedReader(new InputStreamReader(System.in));
        while (input.readLine() != null) {
            wall("currentTimeMillis", System.currentTimeMillis());
            wall("Instant", Instant.now().toEpochMilli());
            wall("ZonedDateTime", ZonedDateTime.now().toInstant().toEpochMilli());
            wall("Date", new Date().getTime());
            System.out.println("monotonic nanoTime " + System.nanoTime());
            System.out.println("end");
        }
    }

    static void wall(String source, long milliseconds) {
        System.out.println("wall " + source + " " + milliseconds * 1_000_000);
    }
}

package steady.record;

import io.restassured.http.Header;
import io.restassured.response.Response;
import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.security.CodeSource;
import java.util.Base64;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/** Writes exchanges, an object per line, to a file of this process's own. */
final class ExchangeLog {
    private static final int LIMIT = 1 << 20;
    // When a process has written so much, further exchanges come without their bodies.
    private static final int TOTAL_LIMIT = 128 << 20;
    private static final File FILE = new File(System.getenv("STEADY_RECORD"), "exchanges-" + UUID.randomUUID() + ".jsonl");
    private static final String ROOT = System.getenv("STEADY_RECORD_ROOT") + "/";
    private static final Map<String, Integer> COUNTS = new ConcurrentHashMap<>();
    private static final Map<String, Boolean> OURS = new ConcurrentHashMap<>();

    private ExchangeLog() {}

    /** One request, from the moment it is asked for. */
    static final class Call {
        private final StringBuilder line = new StringBuilder("{\"test\":");

        Call(String method, String uri) {
            String test = TestListener.current();
            int sequence = COUNTS.merge(test == null ? "" : test, 1, Integer::sum);
            line.append(test == null ? "null" : quoted(test)).append(",\"sequence\":").append(sequence);
            line.append(",\"frames\":[");
            String separator = "";
            for (StackTraceElement frame : new Throwable().getStackTrace()) {
                if (frame.getLineNumber() > 0 && frame.getFileName() != null && isOurs(frame.getClassName())) {
                    line.append(separator).append("{\"class\":").append(quoted(frame.getClassName()));
                    line.append(",\"file\":").append(quoted(frame.getFileName()));
                    line.append(",\"line\":").append(frame.getLineNumber()).append('}');
                    separator = ",";
                }
            }
            line.append("],\"request\":{\"method\":").append(quoted(method));
            line.append(",\"url\":").append(quoted(uri.replaceFirst("^([a-z]+://)[^/@]*@", "$1"))).append('}');
        }

        void answered(Response response, byte[] body) {
            line.append(",\"response\":{\"status\":").append(response.getStatusCode()).append(",\"headers\":[");
            String separator = "";
            for (Header header : response.getHeaders()) {
                line.append(separator).append('[').append(quoted(header.getName().toLowerCase(Locale.ROOT)));
                line.append(',').append(quoted(String.valueOf(header.getValue()))).append(']');
                separator = ",";
            }
            int kept = FILE.length() > TOTAL_LIMIT ? 0 : Math.min(body.length, LIMIT);
            boolean isCut = kept < body.length;
            line.append("],\"truncated\":").append(isCut);
            line.append(",\"body\":").append(payload(ByteBuffer.wrap(body, 0, kept), isCut)).append("}}\n");
            write(line.toString().getBytes(StandardCharsets.US_ASCII));
        }
    }

    private static synchronized void write(byte[] line) {
        try (OutputStream file = new FileOutputStream(FILE, true)) {
            file.write(line);
        } catch (IOException error) {
            // A recorder that fails must not fail the test.
        }
    }

    /** Whether a class was compiled from the project, and not taken from an archive. */
    private static boolean isOurs(String name) {
        return !name.startsWith("steady.record.") && OURS.computeIfAbsent(name, ExchangeLog::isCompiledHere);
    }

    private static boolean isCompiledHere(String name) {
        try {
            ClassLoader loader = Thread.currentThread().getContextClassLoader();
            CodeSource source = Class.forName(name, false, loader).getProtectionDomain().getCodeSource();
            File place = new File(source.getLocation().toURI());
            return place.isDirectory() && place.toPath().toRealPath().startsWith(ROOT);
        } catch (Exception | LinkageError error) {
            // Classes of the platform have no place.
            return false;
        }
    }

    private static String payload(ByteBuffer bytes, boolean isCut) {
        CharBuffer text = CharBuffer.allocate(bytes.remaining());
        // What was cut may end in the middle of a character.
        CoderResult result = StandardCharsets.UTF_8.newDecoder().decode(bytes, text, !isCut);
        if (!result.isError()) {
            text.flip();
            return "{\"text\":" + quoted(text.toString()) + "}";
        }
        bytes.rewind();
        return "{\"bytes\":\"" + StandardCharsets.US_ASCII.decode(Base64.getEncoder().encode(bytes)) + "\"}";
    }

    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (char letter : text.toCharArray()) {
            if (letter == '"' || letter == '\\') {
                quoted.append('\\').append(letter);
            } else if (letter < ' ' || letter > '~') {
                quoted.append(String.format("\\u%04x", (int) letter));
            } else {
                quoted.append(letter);
            }
        }
        return quoted.append('"').toString();
    }
}

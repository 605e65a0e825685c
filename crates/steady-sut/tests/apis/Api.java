import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.ZonedDateTime;

/** A small API: what surrounds it shows in its answers. {@code java Api.java PORT}. */
public class Api {
    private static final Object FIRST = new Object();

    public static void main(String[] args) throws IOException {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        HttpServer server = HttpServer.create(new InetSocketAddress(loopback, Integer.parseInt(args[0])), 0);
        int identity = System.identityHashCode(FIRST);
        server.createContext("/", exchange -> {
            String body = String.format(
                    "{\"pid\":%d,\"now\":%d,\"offset\":%d,\"tmp\":\"%s\",\"number\":\"%s\",\"identity\":%d}",
                    ProcessHandle.current().pid(),
                    System.currentTimeMillis() / 1000,
                    ZonedDateTime.now().getOffset().getTotalSeconds(),
                    System.getProperty("java.io.tmpdir"),
                    String.format("%.1f", 1.5),
                    identity);
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        });
        server.start();
    }
}

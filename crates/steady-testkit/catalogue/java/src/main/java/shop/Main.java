package shop;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** The catalogue's API in Java: java -cp … shop.Main --port 8080 */
public final class Main {
    private static final ObjectMapper JSON = new ObjectMapper();

    private Main() {}

    public static void main(String[] arguments) throws IOException {
        // Head and body are written apart: the body would wait for the head's acknowledgement.
        System.setProperty("sun.net.httpserver.nodelay", "true");
        int port = Integer.parseInt(arguments[Arrays.asList(arguments).indexOf("--port") + 1]);
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), port), 0);
        Routes routes = new Routes();
        server.createContext("/", exchange -> serve(exchange, routes));
        AtomicInteger started = new AtomicInteger();
        // A thread for every request, each with a name of its own.
        server.setExecutor(task -> new Thread(task, "http-worker-" + started.incrementAndGet()).start());
        server.start();
    }

    private static void serve(HttpExchange exchange, Routes routes) throws IOException {
        String target = exchange.getRequestMethod() + " " + exchange.getRequestURI().getPath();
        Answer answer;
        try (InputStream received = exchange.getRequestBody()) {
            InputStream body = new ByteArrayInputStream(received.readAllBytes());
            answer = switch (target) {
                case "GET /health" -> new Answer(200, Map.of("status", "up"));
                case "GET /openapi.json" -> document();
                case "POST /__reset" -> routes.reset();
                default -> routes.answer(target, body);
            };
        }
        byte[] bytes = JSON.writeValueAsBytes(answer.body());
        exchange.getResponseHeaders().set("content-type", "application/json");
        exchange.sendResponseHeaders(answer.status(), bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    private static Answer document() throws IOException {
        try (InputStream document = Main.class.getResourceAsStream("openapi.json")) {
            return new Answer(200, JSON.readTree(document));
        }
    }
}

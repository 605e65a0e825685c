package shop;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.text.DateFormat;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Date;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ResourceBundle;
import java.util.Set;
import java.util.UUID;

/** One behaviour per operation; the labels are in the test kit. */
final class Routes {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String MUTANT = System.getenv("CATALOGUE_MUTANT");

    private final List<String> orders = new ArrayList<>();

    /** Has no hash code of its own, so that a set of them is in the order of their identities. */
    private static final class Role {
        private final String name;

        Role(String name) {
            this.name = name;
        }
    }

    private static final class Cart {}

    private static final class Basket {}

    synchronized Answer reset() {
        orders.clear();
        return new Answer(200, Map.of("reset", true));
    }

    synchronized Answer answer(String target, InputStream body) throws IOException {
        return switch (target) {
            // Unord.
            case "GET /roles" -> roles();
            case "GET /roles/check" -> check();
            // RunMsg.
            case "POST /customers" -> customer(body);
            case "GET /cart" -> cart();
            case "GET /identity" -> ok("key", System.identityHashCode(new Cart()), "kind", "cart");
            case "GET /thread" -> thread();
            // Time.
            case "GET /instant" -> ok("at", instant(), "service", "shop");
            case "GET /zoned" -> ok("at", ZonedDateTime.now().toString());
            case "GET /day" -> ok("today", DateFormat.getDateInstance(DateFormat.LONG).format(new Date()));
            // Rand.
            case "GET /number" -> number();
            // Env.
            case "GET /message" -> message();
            case "GET /amount" ->
                ok("amount", String.format("%,.2f", mutated("java-amount") ? 9876.5 : 1234.5), "currency", "EUR");
            case "GET /temp" -> ok("folder", Path.of(System.getProperty("java.io.tmpdir"), "shop").toString());
            case "GET /classpath" -> ok("path", System.getProperty("java.class.path"), "main", "shop.Main");
            // State.
            case "POST /orders" -> order(body);
            case "GET /orders" -> ok("count", orders.size());
            // Look-alikes.
            case "GET /about" -> about();
            default -> new Answer(404, Map.of("error", "no such route"));
        };
    }

    private static Answer roles() {
        return ok("roles", names(), "realm", "shop");
    }

    private static Answer check() {
        return new Answer(422, fields("message", "role must be one of " + names(), "field", "role"));
    }

    private static List<String> names() {
        Set<Role> roles = new HashSet<>();
        for (String name : List.of("admin", "editor", "author", "reader", "guest")) {
            if (!(mutated("java-role-missing") && name.equals("guest"))) {
                roles.add(new Role(name));
            }
        }
        return roles.stream().map(role -> role.name).toList();
    }

    private static Answer customer(InputStream body) throws IOException {
        try {
            Customer customer = JSON.readValue(body, Customer.class);
            if (customer == null) {
                return new Answer(400, fields("status", 400, "message", "Could not read document: it is null"));
            }
            return new Answer(201, fields("created", true, "named", customer.name() != null));
        } catch (JsonProcessingException refused) {
            return new Answer(400, fields("status", 400, "message", unreadable(refused, body)));
        }
    }

    /** As frameworks on older Jackson versions write it: the source of the text is an object, with its identity. */
    private static String unreadable(JsonProcessingException refused, InputStream source) {
        JsonLocation where = refused.getLocation();
        String start = mutated("java-customer-message") ? "Cannot parse document: " : "Could not read document: ";
        String text = start + refused.getOriginalMessage().lines().findFirst().orElse("") + " at [Source: " + source
                + "; line: " + where.getLineNr() + ", column: " + where.getColumnNr() + "]";
        if (refused instanceof JsonMappingException mapping) {
            text += " (through reference chain: " + mapping.getPathReference() + ")";
        }
        return text;
    }

    private static Answer cart() {
        Object cart = mutated("java-other-class") ? new Basket() : new Cart();
        return new Answer(500, fields("error", "no serializer for " + cart, "path", "/cart"));
    }

    private static Answer thread() {
        String name = Thread.currentThread().getName();
        return new Answer(503, fields("error", "[" + name + "] the pool is exhausted", "retry", true));
    }

    private static Object instant() {
        Instant now = Instant.now();
        return mutated("java-instant-number") ? (Object) now.getEpochSecond() : now.toString();
    }

    private static Answer number() {
        String id = UUID.randomUUID().toString();
        return ok("id", mutated("java-number-prefix") ? "order-" + id : id, "kind", "order");
    }

    private static Answer message() {
        String text = ResourceBundle.getBundle("shop.messages").getString("pattern");
        String pattern = mutated("java-message-pattern") ? "^[a-z]*$" : "^[a-zA-Z0-9]*$";
        return new Answer(422, fields("message", text.replace("{0}", pattern), "code", "Pattern"));
    }

    private Answer order(InputStream body) throws IOException {
        JsonNode order;
        try {
            order = JSON.readTree(body);
        } catch (JsonProcessingException refused) {
            return new Answer(400, fields("error", "item is missing"));
        }
        if (order == null || !order.path("item").isTextual() || order.path("item").asText().isEmpty()) {
            return new Answer(400, fields("error", "item is missing"));
        }
        orders.add(order.path("item").asText());
        int status = mutated("java-order-status") ? 200 : 201;
        return new Answer(status, fields("id", orders.size(), "item", order.path("item").asText()));
    }

    private static Answer about() {
        return ok(
                "version", mutated("java-about-version") ? "17.0.2" : "17.0.1",
                "released", "2021-10-19T00:00:00Z",
                "tenant", "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                "example", "toString prints shop.Cart@1b6d3586",
                "roles", List.of("admin", "author", "editor", "guest", "reader"),
                "account", 4111111111111L);
    }

    private static boolean mutated(String name) {
        return name.equals(MUTANT);
    }

    private static Answer ok(Object... namesAndValues) {
        return new Answer(200, fields(namesAndValues));
    }

    /** An object whose fields are in this order. */
    private static Map<String, Object> fields(Object... namesAndValues) {
        Map<String, Object> fields = new LinkedHashMap<>();
        for (int at = 0; at < namesAndValues.length; at += 2) {
            fields.put((String) namesAndValues[at], namesAndValues[at + 1]);
        }
        return fields;
    }
}

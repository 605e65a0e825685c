package steady;

import java.util.ArrayList;
import java.util.List;

/** What calls carry to show who makes them. */
public final class Credentials {
    final List<String[]> headers = new ArrayList<>();
    final List<String[]> query = new ArrayList<>();
    final List<String> cookies = new ArrayList<>();

    /** A header. */
    public Credentials header(String name, Object value) {
        headers.add(new String[] {name, Steady.text(value)});
        return this;
    }

    /** A query parameter. */
    public Credentials query(String name, Object value) {
        query.add(new String[] {name, Steady.text(value)});
        return this;
    }

    /** All cookies a login set. */
    public Credentials cookies(Answer login) {
        cookies.addAll(login.cookies());
        return this;
    }
}

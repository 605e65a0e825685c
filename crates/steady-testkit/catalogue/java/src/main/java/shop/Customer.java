package shop;

import java.util.Set;

/** What {@code POST /customers} takes. */
record Customer(String name, Set<String> roles) {}

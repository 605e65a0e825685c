package shop;

import org.junit.jupiter.api.*;

class OrderTest {
  @BeforeAll static void connect() { throw new IllegalStateException("no database"); }

  @Test void neverGetsThere() {}
}

package shop;

import static org.junit.jupiter.api.Assertions.*;

import org.junit.jupiter.api.*;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CartTest {
  static int tries = 0;

  @Test void addsUp() { assertEquals(2, 1 + 1); }

  @Test void takesTenPerCent() { assertEquals(8, 10 - 1, "discount <&\"'>"); }

  @Test void breaks() { throw new IllegalStateException("no database"); }

  @Test @Disabled("not on this machine") void isSkipped() {}

  @Test void passesAtTheThirdTry() { tries++; System.out.println("try " + tries); assertEquals(3, tries); }

  @ParameterizedTest @ValueSource(strings = {"plain", "ünï 🛒", "<&\"'>"}) void holds(String text) { assertNotEquals("plain", text); }

  @Nested class WithDiscount { @Test void isNested() {} }
}

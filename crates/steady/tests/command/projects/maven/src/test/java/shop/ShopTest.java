package shop;

import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ShopTest {
  @Test
  void calm() {}

  @Test
  void flaky() throws IOException {
    Path file = Path.of("attempts.txt");
    String attempts = (Files.exists(file) ? Files.readString(file) : "") + "x";
    Files.writeString(file, attempts);
    assertNotEquals(0, attempts.length() % 2, "every second time");
  }
}

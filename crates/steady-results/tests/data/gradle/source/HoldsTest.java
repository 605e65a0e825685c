package shop;

import static org.junit.Assert.assertNotEquals;

import java.util.Arrays;
import java.util.Collection;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;

@RunWith(Parameterized.class)
public class HoldsTest {
  private final String text;

  public HoldsTest(String text) { this.text = text; }

  @Parameterized.Parameters(name = "{0}")
  public static Collection<Object[]> texts() {
    return Arrays.asList(new Object[][] {{"plain"}, {"ünï 🛒"}, {"<&\"'>"}});
  }

  @Test public void holds() { assertNotEquals("plain", text); }
}

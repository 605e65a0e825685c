package shop;

import static org.junit.Assert.assertEquals;

import org.junit.Ignore;
import org.junit.Test;

public class CartTest {
  @Test public void addsUp() { assertEquals(2, 1 + 1); }

  @Test public void takesTenPerCent() { assertEquals("discount <&\"'>", 8, 10 - 1); }

  @Test public void breaks() { throw new IllegalStateException("no database"); }

  @Test @Ignore("not on this machine") public void isSkipped() {}
}

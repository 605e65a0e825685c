package shop;

import org.junit.BeforeClass;
import org.junit.Test;

public class OrderTest {
  @BeforeClass public static void connect() { throw new IllegalStateException("no database"); }

  @Test public void neverGetsThere() {}
}

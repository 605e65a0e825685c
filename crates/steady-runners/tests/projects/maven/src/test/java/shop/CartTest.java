package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class CartTest {
    @Test
    void adds() {
        Log.write("shop.CartTest::adds");
        assertEquals(2, 1 + 1);
    }

    @Test
    @DisplayName("sums <1> & \"two\"")
    void sums() {
        Log.write("shop.CartTest::sums");
    }

    @Test
    void totals() {
        Log.write("shop.CartTest::totals");
    }

    @Nested
    class Inside {
        @Test
        void deeper() {
            Log.write("shop.CartTest$Inside::deeper");
        }
    }
}

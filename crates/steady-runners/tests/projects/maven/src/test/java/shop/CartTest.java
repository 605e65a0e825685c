package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void totals(int items) {
        Log.write("shop.CartTest::totals(int)[" + items + "]");
    }

    @Nested
    class Inside {
        @Test
        void deeper() {
            Log.write("shop.CartTest$Inside::deeper");
        }
    }
}

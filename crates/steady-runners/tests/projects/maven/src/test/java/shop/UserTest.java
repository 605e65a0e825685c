package shop;

import static org.junit.jupiter.api.Assertions.fail;

import org.junit.jupiter.api.Test;

class UserTest {
    @Test
    void isAdmin() {
        Log.write("shop.UserTest::isAdmin");
        fail("no such role");
    }

    @Test
    void logsIn() {
        Log.write("shop.UserTest::logsIn");
    }
}

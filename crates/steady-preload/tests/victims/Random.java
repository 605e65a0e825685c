import java.security.SecureRandom;
import java.util.UUID;

/** Imitates a program that draws from the sources of the JVM that ask the system. */
class Random {
    public static void main(String[] arguments) {
        System.out.println("drawn UUID " + UUID.randomUUID());
        System.out.println("drawn SecureRandom " + new SecureRandom().nextLong());
        System.out.println("end");
    }
}

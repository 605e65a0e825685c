import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Imitates a program that waits in every way the JVM has. With the argument {@code durations}, only in those ways that
 * must not notice a clock that jumps while they wait.
 */
class Waits {
    static final long MILLISECONDS = 150;

    interface Wait {
        void run() throws Exception;
    }

    public static void main(String[] arguments) throws Exception {
        Map<String, Wait> waits = new LinkedHashMap<>();
        durations(waits);
        if (arguments.length == 0) {
            deadlines(waits);
        }
        for (var wait : waits.entrySet()) {
            long start = System.nanoTime();
            wait.getValue().run();
            long elapsed = System.nanoTime() - start;
            System.out.println("waited " + wait.getKey() + " " + elapsed + " " + MILLISECONDS * 1_000_000);
        }
        System.out.println("end");
    }

    static void durations(Map<String, Wait> waits) {
        waits.put("sleep", () -> Thread.sleep(MILLISECONDS));
        waits.put("wait", () -> {
            Object monitor = new Object();
            // A wait may end for no reason; the time that is left says whether it did.
            long end = System.nanoTime() + MILLISECONDS * 1_000_000;
            synchronized (monitor) {
                for (long left = MILLISECONDS; left > 0; left = (end - System.nanoTime() + 999_999) / 1_000_000) {
                    monitor.wait(left);
                }
            }
        });
        waits.put("parkNanos", () -> {
            long end = System.nanoTime() + MILLISECONDS * 1_000_000;
            for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
        });
        waits.put("join", () -> {
            var thread = new Thread(LockSupport::park);
            thread.setDaemon(true);
            thread.start();
            thread.join(MILLISECONDS);
        });
        waits.put("latch", () -> expect(!new CountDownLatch(1).await(MILLISECONDS, TimeUnit.MILLISECONDS)));
        waits.put("queue", () -> expect(new LinkedBlockingQueue<>().poll(MILLISECONDS, TimeUnit.MILLISECONDS) == null));
        waits.put("future", () -> {
            try {
                new CompletableFuture<Void>().get(MILLISECONDS, TimeUnit.MILLISECONDS);
            } catch (TimeoutException expected) {
                return;
            }
            expect(false);
        });
        waits.put("scheduled", () -> {
            var pool = Executors.newScheduledThreadPool(1);
            pool.schedule(() -> {}, MILLISECONDS, TimeUnit.MILLISECONDS).get();
            pool.shutdown();
        });
        waits.put("accept", () -> {
            try (var server = new ServerSocket(0)) {
                server.setSoTimeout((int) MILLISECONDS);
                server.accept();
            } catch (SocketTimeoutException expected) {
                return;
            }
            expect(false);
        });
        waits.put("waitFor", () -> {
            var child = new ProcessBuilder("sleep", "60").start();
            expect(!child.waitFor(MILLISECONDS, TimeUnit.MILLISECONDS));
            child.destroy();
        });
    }

    static void deadlines(Map<String, Wait> waits) {
        waits.put("parkUntil", () -> {
            long end = System.currentTimeMillis() + MILLISECONDS;
            while (System.currentTimeMillis() < end) {
                LockSupport.parkUntil(end);
            }
        });
        waits.put("awaitUntil", () -> {
            var lock = new ReentrantLock();
            lock.lock();
            var end = new Date(System.currentTimeMillis() + MILLISECONDS);
            expect(!lock.newCondition().awaitUntil(end));
        });
        waits.put("timer", () -> {
            var fired = new CountDownLatch(1);
            var timer = new Timer(true);
            timer.schedule(new TimerTask() {
                @Override
                public void run() {
                    fired.countDown();
                }
            }, MILLISECONDS);
            fired.await();
        });
    }

    static void expect(boolean held) {
        if (!held) {
            throw new AssertionError();
        }
    }
}

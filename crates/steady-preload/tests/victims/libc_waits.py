"""Imitates a C program: waits with each function of the C library that takes a deadline."""

import ctypes
import errno
import os
import signal
import threading
import time

C = ctypes.CDLL(None, use_errno=True)
SECOND = 1_000_000_000
ASKED = 150_000_000
ABSOLUTE = 1
WALL, MONOTONIC = time.CLOCK_REALTIME, time.CLOCK_MONOTONIC


class Timespec(ctypes.Structure):
    _fields_ = [("seconds", ctypes.c_long), ("nanoseconds", ctypes.c_long)]


class Setting(ctypes.Structure):
    _fields_ = [("interval", Timespec), ("value", Timespec)]


def deadline(clock=WALL):
    return Timespec(*divmod(time.clock_gettime_ns(clock) + ASKED, SECOND))


def made():
    """An object of the C library; all zeros is how mutexes, conditions and locks begin."""
    return ctypes.create_string_buffer(256)


def locked_mutex():
    mutex = made()
    assert C.pthread_mutex_lock(mutex) == 0
    return mutex


def lock_held(take):
    """A read-write lock that another thread has taken."""
    lock = made()
    thread = threading.Thread(target=lambda: take(lock))
    thread.start()
    thread.join()
    return lock


def timed_out(result):
    assert result == errno.ETIMEDOUT or (result == -1 and ctypes.get_errno() == errno.ETIMEDOUT), result


def condition(clock=None):
    mutex = locked_mutex()
    if clock is None:
        return lambda: timed_out(C.pthread_cond_timedwait(made(), mutex, ctypes.byref(deadline())))
    return lambda: timed_out(C.pthread_cond_clockwait(made(), mutex, clock, ctypes.byref(deadline(clock))))


def condition_by_monotonic():
    attributes, condition, mutex = made(), made(), locked_mutex()
    assert C.pthread_condattr_init(attributes) == 0
    assert C.pthread_condattr_setclock(attributes, MONOTONIC) == 0
    assert C.pthread_cond_init(condition, attributes) == 0
    return lambda: timed_out(C.pthread_cond_timedwait(condition, mutex, ctypes.byref(deadline(MONOTONIC))))


def mutex(clock=None):
    taken = locked_mutex()
    if clock is None:
        return lambda: timed_out(C.pthread_mutex_timedlock(taken, ctypes.byref(deadline())))
    return lambda: timed_out(C.pthread_mutex_clocklock(taken, clock, ctypes.byref(deadline(clock))))


def semaphore(clock=None):
    taken = made()
    assert C.sem_init(taken, 0, 0) == 0
    if clock is None:
        return lambda: timed_out(C.sem_timedwait(taken, ctypes.byref(deadline())))
    return lambda: timed_out(C.sem_clockwait(taken, clock, ctypes.byref(deadline(clock))))


def read_lock(clock=None):
    taken = lock_held(C.pthread_rwlock_wrlock)
    if clock is None:
        return lambda: timed_out(C.pthread_rwlock_timedrdlock(taken, ctypes.byref(deadline())))
    return lambda: timed_out(C.pthread_rwlock_clockrdlock(taken, clock, ctypes.byref(deadline(clock))))


def write_lock(clock=None):
    taken = lock_held(C.pthread_rwlock_rdlock)
    if clock is None:
        return lambda: timed_out(C.pthread_rwlock_timedwrlock(taken, ctypes.byref(deadline())))
    return lambda: timed_out(C.pthread_rwlock_clockwrlock(taken, clock, ctypes.byref(deadline(clock))))


def join(clock=None):
    # One of Python's own threads cannot be joined here: it is detached.
    handle = ctypes.c_ulong()
    assert C.pthread_create(ctypes.byref(handle), None, C.pause, None) == 0
    if clock is None:
        return lambda: timed_out(C.pthread_timedjoin_np(handle, None, ctypes.byref(deadline())))
    return lambda: timed_out(C.pthread_clockjoin_np(handle, None, clock, ctypes.byref(deadline(clock))))


def c11_mutex():
    # C11 has numbers of its own.
    timed, thrd_timedout = 2, 4
    taken = made()
    assert C.mtx_init(taken, timed) == 0 and C.mtx_lock(taken) == 0

    def wait():
        assert C.mtx_timedlock(taken, ctypes.byref(deadline())) == thrd_timedout

    return wait


def c11_condition():
    plain, thrd_timedout = 0, 4
    condition, taken = made(), made()
    assert C.cnd_init(condition) == 0 and C.mtx_init(taken, plain) == 0 and C.mtx_lock(taken) == 0

    def wait():
        assert C.cnd_timedwait(condition, taken, ctypes.byref(deadline())) == thrd_timedout

    return wait


def sleep(clock):
    def wait():
        assert C.clock_nanosleep(clock, ABSOLUTE, ctypes.byref(deadline(clock)), None) == 0

    return wait


def relative_sleep():
    def wait():
        assert C.clock_nanosleep(WALL, 0, ctypes.byref(Timespec(0, ASKED)), None) == 0

    return wait


def descriptor_timer(clock):
    timer = C.timerfd_create(clock, 0)
    assert timer >= 0

    def wait():
        setting = Setting(value=deadline(clock))
        assert C.timerfd_settime(timer, ABSOLUTE, ctypes.byref(setting), None) == 0
        assert int.from_bytes(os.read(timer, 8), "little") == 1

    return wait


def signal_timer(clock):
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM])
    timer = ctypes.c_void_p()
    assert C.timer_create(clock, None, ctypes.byref(timer)) == 0

    def wait():
        setting = Setting(value=deadline(clock))
        assert C.timer_settime(timer, ABSOLUTE, ctypes.byref(setting), None) == 0
        assert signal.sigwait([signal.SIGALRM]) == signal.SIGALRM

    return wait


def message_queue():
    class Attributes(ctypes.Structure):
        _fields_ = [(name, ctypes.c_long) for name in ("flags", "messages", "size", "current", "a", "b", "c", "d")]

    name = f"/steady-victim-{os.getpid()}".encode()
    attributes = Attributes(messages=1, size=8)
    queue = C.mq_open(name, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600, ctypes.byref(attributes))
    assert queue >= 0, os.strerror(ctypes.get_errno())
    C.mq_unlink(name)
    buffer = ctypes.create_string_buffer(8)

    def receive():
        timed_out(C.mq_timedreceive(queue, buffer, ctypes.c_size_t(8), None, ctypes.byref(deadline())))

    def send():
        assert C.mq_send(queue, buffer, ctypes.c_size_t(8), 0) == 0
        timed_out(C.mq_timedsend(queue, buffer, ctypes.c_size_t(8), 0, ctypes.byref(deadline())))

    return receive, send


receive, send = message_queue()
for name, wait in [
    ("pthread_cond_timedwait", condition()),
    ("pthread_cond_timedwait-monotonic", condition_by_monotonic()),
    ("pthread_cond_clockwait", condition(WALL)),
    ("pthread_cond_clockwait-monotonic", condition(MONOTONIC)),
    ("pthread_mutex_timedlock", mutex()),
    ("pthread_mutex_clocklock", mutex(WALL)),
    ("pthread_rwlock_timedrdlock", read_lock()),
    ("pthread_rwlock_clockrdlock", read_lock(WALL)),
    ("pthread_rwlock_timedwrlock", write_lock()),
    ("pthread_rwlock_clockwrlock", write_lock(WALL)),
    ("pthread_timedjoin_np", join()),
    ("pthread_clockjoin_np", join(WALL)),
    ("sem_timedwait", semaphore()),
    ("sem_clockwait", semaphore(WALL)),
    ("sem_clockwait-monotonic", semaphore(MONOTONIC)),
    ("mtx_timedlock", c11_mutex()),
    ("cnd_timedwait", c11_condition()),
    ("mq_timedreceive", receive),
    ("mq_timedsend", send),
    ("clock_nanosleep", sleep(WALL)),
    ("clock_nanosleep-monotonic", sleep(MONOTONIC)),
    ("clock_nanosleep-relative", relative_sleep()),
    ("timerfd_settime", descriptor_timer(WALL)),
    ("timerfd_settime-monotonic", descriptor_timer(MONOTONIC)),
    ("timer_settime", signal_timer(WALL)),
    ("timer_settime-monotonic", signal_timer(MONOTONIC)),
]:
    start = time.monotonic_ns()
    wait()
    print("waited", name, time.monotonic_ns() - start, ASKED, flush=True)
print("end", flush=True)

"""Imitates a C program: for every line it reads, it calls each function of the C library that tells the time."""

import ctypes
import sys
import time

C = ctypes.CDLL(None)
C.time.restype = ctypes.c_long
SECOND = 1_000_000_000
COARSE, TAI, UTC = 5, 11, 1


class Timespec(ctypes.Structure):
    _fields_ = [("seconds", ctypes.c_long), ("nanoseconds", ctypes.c_long)]

    def total(self):
        return self.seconds * SECOND + self.nanoseconds


class Timeb(ctypes.Structure):
    _fields_ = [
        ("seconds", ctypes.c_long),
        ("milliseconds", ctypes.c_ushort),
        ("zone", ctypes.c_short),
        ("daylight", ctypes.c_short),
    ]


def clock_gettime(clock):
    now = Timespec()
    assert C.clock_gettime(clock, ctypes.byref(now)) == 0
    return now.total()


def gettimeofday(zone):
    now = Timespec()
    assert C.gettimeofday(ctypes.byref(now), zone) == 0
    return now.seconds * SECOND + now.nanoseconds * 1000


def stored_time():
    now = ctypes.c_long()
    C.time(ctypes.byref(now))
    return now.value * SECOND


def timespec_get():
    now = Timespec()
    assert C.timespec_get(ctypes.byref(now), UTC) == UTC
    return now.total()


def ftime():
    now = Timeb()
    assert C.ftime(ctypes.byref(now)) == 0
    return now.seconds * SECOND + now.milliseconds * 1_000_000


def atomic_time_without_leap_seconds():
    # Ahead by some whole seconds, none on a machine that was never told how many.
    ahead = round((clock_gettime(TAI) - time.time_ns()) / SECOND)
    assert 0 <= ahead < 60, ahead
    return clock_gettime(TAI) - ahead * SECOND


for _ in sys.stdin:
    print("wall", "clock_gettime", clock_gettime(time.CLOCK_REALTIME))
    print("wall", "coarse", clock_gettime(COARSE))
    print("wall", "tai", atomic_time_without_leap_seconds())
    print("wall", "gettimeofday", gettimeofday(None))
    print("wall", "gettimeofday-zone", gettimeofday(ctypes.byref(ctypes.c_long())))
    print("wall", "time", C.time(None) * SECOND)
    print("wall", "time-stored", stored_time())
    print("wall", "timespec_get", timespec_get())
    print("wall", "ftime", ftime())
    print("monotonic", "clock_gettime", clock_gettime(time.CLOCK_MONOTONIC))
    print("end", flush=True)

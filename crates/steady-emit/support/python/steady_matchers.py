"""What values that vary must look like. Compare with `==`:

    assert response.at("/id") == matching("[0-9a-f]{32}", "32 hexadecimal digits")
    assert response.at("/total") == sum_of(response.at("/price"), response.at("/shipping"))
"""

import base64
import binascii
import datetime
import json
import math
import re
import time

from steady_support import Expectation, compact, read_json, same

# How many seconds a recent time may be away from the response's `Date`, or from now when it has none.
RECENT = 3600
# By how much of its size a sum or product may miss: as much as floating-point arithmetic loses.
ROUNDING = 1e-9


def matching(pattern, what):
    """Text that the pattern describes whole."""

    def met_by(value, _response):
        return isinstance(value, str) and re.fullmatch(pattern, value) is not None

    return Expectation(f"{what}, matching {pattern}", met_by)


def in_any_order(items):
    """An array of these items, in any order."""
    expected = sorted(map(_canonical, items))

    def met_by(value, _response):
        return isinstance(value, list) and sorted(map(_canonical, value)) == expected

    return Expectation(f"in any order {compact(items)}", met_by)


def one_of(values):
    """One of these values."""
    return Expectation(
        f"one of {compact(values)}", lambda value, _response: any(same(value, other) for other in values)
    )


def between(least, most):
    """A number between these, which it may equal."""
    return _number(f"a number from {least} to {most}", lambda number: least <= number <= most)


def at_least(least):
    """This number or a larger one."""
    return _number(f"a number from {least}", lambda number: least <= number)


def at_most(most):
    """This number or a smaller one."""
    return _number(f"a number up to {most}", lambda number: number <= most)


def sum_of(*terms):
    """The sum of the numbers found elsewhere, but for rounding."""
    return _computed("sum", [term.number for term in terms], sum)


def product_of(*factors):
    """The product of the numbers found elsewhere, but for rounding."""
    return _computed("product", [factor.number for factor in factors], math.prod)


def size_of(found):
    """How many items the array found elsewhere has."""
    return _number(f"the size of an array, which is {found.size}", lambda number: number == found.size)


def jwt(header=None, claims=None):
    """A JSON web token whose header and claims have at least these fields."""
    expected = (header or {}, claims or {})

    def met_by(value, _response):
        parts = _token(value)
        return parts is not None and all(map(_contains, parts, expected))

    words = f"a JSON web token with the header {compact(expected[0])} and the claims {compact(expected[1])}"
    return Expectation(words, met_by)


def recent(time_format):
    """A time of this format, near the one the response was given at."""

    def met_by(value, response):
        moment, date = _moment(value, time_format), response.header("date")
        given = _moment(date.value, "http") if date.present else None
        return moment is not None and abs(moment - (time.time() if given is None else given)) <= RECENT

    return Expectation(f"a time as {time_format}, {RECENT} seconds from the response's date at most", met_by)


def _number(words, holds):
    def met_by(value, _response):
        return isinstance(value, (int, float)) and not isinstance(value, bool) and holds(value)

    return Expectation(words, met_by)


def _computed(name, numbers, compute):
    if None in numbers:
        return Expectation(f"the {name} of numbers, one of which is none", lambda _value, _response: False)
    computed = compute(map(float, numbers))

    def holds(number):
        return abs(number - computed) <= ROUNDING * max(1, abs(number), abs(computed))

    return _number(f"{computed}, the {name} of {compact(numbers)}", holds)


def _canonical(value):
    """The same text for the same JSON value: numbers by value, objects by their sorted keys."""

    def plain(value):
        if isinstance(value, float) and value.is_integer():
            return int(value)
        if isinstance(value, list):
            return [plain(item) for item in value]
        if isinstance(value, dict):
            return {key: plain(item) for key, item in value.items()}
        return value

    return json.dumps(plain(value), sort_keys=True)


def _token(value):
    """The header and the claims of a JSON web token; None for anything else."""
    parts = value.split(".") if isinstance(value, str) else []
    try:
        header, claims, _signature = (_decoded(part) for part in parts)
        parts = [read_json(header.decode()), read_json(claims.decode())]
    except (ValueError, RecursionError):
        return None
    return parts if all(isinstance(part, dict) for part in parts) else None


def _decoded(part):
    content = base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))
    if base64.urlsafe_b64encode(content).decode().rstrip("=") != part:
        raise binascii.Error("not base64url")
    return content


def _contains(actual, expected):
    return all(name in actual and same(actual[name], value) for name, value in expected.items())


_MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
_CLOCK = "([0-9]{2}):([0-9]{2}):([0-9]{2})"
_RFC3339 = re.compile(
    rf"([0-9]{{4}})-([0-9]{{2}})-([0-9]{{2}})[Tt ]{_CLOCK}(\.[0-9]+)?(?:[Zz]|([+-])([0-9]{{2}}):([0-9]{{2}}))"
)
_HTTP = re.compile(rf"[A-Z][a-z]{{2}}, ([0-9]{{2}}) ({'|'.join(_MONTHS)}) ([0-9]{{4}}) {_CLOCK} GMT")
_UNITS = {"seconds": 1, "milliseconds": 1e3, "microseconds": 1e6, "nanoseconds": 1e9}


def _moment(value, time_format):
    """Seconds since 1970; None when the value is no time of this format."""
    if time_format in _UNITS:
        if isinstance(value, str) and re.fullmatch(r"[0-9]+(\.[0-9]+)?", value):
            value = float(value)
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        return value / _UNITS[time_format] if is_number else None
    pattern = _RFC3339 if time_format == "rfc3339" else _HTTP
    found = pattern.fullmatch(value) if isinstance(value, str) else None
    if found is None:
        return None
    if time_format == "http":
        day, month, year, *clock = found.groups()
        return _seconds(year, _MONTHS.index(month) + 1, day, clock)
    year, month, day, *clock, fraction, sign, hours, minutes = found.groups()
    moment, offset = _seconds(year, month, day, clock), _seconds(1970, 1, 1, [hours or 0, minutes or 0, 0])
    if moment is None or offset is None:
        return None
    return moment + float(fraction or 0) - (-offset if sign == "-" else offset)


def _seconds(year, month, day, clock):
    """The seconds from 1970 to a moment; None when there is no such one."""
    hour, minute, second = map(int, clock)
    try:
        start = datetime.datetime(int(year), int(month), int(day), hour, minute, tzinfo=datetime.timezone.utc)
    except ValueError:
        return None
    # The 60th is a leap second.
    return start.timestamp() + second if second <= 60 else None

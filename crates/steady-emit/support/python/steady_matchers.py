"""What values that vary must look like. Compare with `==`:

    assert response.at("/id") == matching("[0-9a-f]{32}", "32 hexadecimal digits")
    assert response.at("/total") == sum_of(response.at("/price"), response.at("/shipping"))
"""

import base64
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


def escaped(value):
    """A value within a pattern: each of its characters means itself."""
    return re.escape(value)


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
        raise ValueError("not base64url")
    return content


def _contains(actual, expected):
    return all(name in actual and same(actual[name], value) for name, value in expected.items())


_MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
_FORMATS = {
    # Minutes, seconds, colons and hyphens may be missing, and a zone may be named: that is how many write it.
    "rfc3339": re.compile(
        r"(?P<year>[0-9]{4})-?(?P<month>[0-9]{2})-?(?P<day>[0-9]{2})[Tt ](?P<hour>[0-9]{2})"
        r"(?::?(?P<minute>[0-9]{2})(?::?(?P<second>[0-9]{2})(?:[.,](?P<fraction>[0-9]{1,9}))?)?)?"
        r"(?:[Zz]|(?P<sign>[+-])(?P<hours>[0-9]{2})(?::?(?P<minutes>[0-9]{2}))?)(?:\[[^\]]*\])*"
    ),
    "http": re.compile(
        r"(?:[A-Z][a-z]{2}, )?(?P<day>[0-9]{1,2}) (?P<month>[A-Z][a-z]{2}) (?P<year>[0-9]{4}) "
        r"(?P<hour>[0-9]{2}):(?P<minute>[0-9]{2})(?::(?P<second>[0-9]{2}))? "
        r"(?:GMT|UTC?|Z|(?P<sign>[+-])(?P<hours>[0-9]{2})(?P<minutes>[0-9]{2}))"
    ),
}
_UNITS = {"seconds": 1, "milliseconds": 1e3, "microseconds": 1e6, "nanoseconds": 1e9}


def _moment(value, time_format):
    """Seconds since 1970; None when the value is no time of this format."""
    if time_format in _UNITS:
        if isinstance(value, str) and re.fullmatch(r"[0-9]+(\.[0-9]+)?", value):
            value = float(value)
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        return value / _UNITS[time_format] if is_number else None
    found = _FORMATS[time_format].fullmatch(value) if isinstance(value, str) else None
    try:
        return found and _seconds({name: part for name, part in found.groupdict().items() if part is not None})
    except ValueError:
        return None


def _seconds(parts):
    month = parts["month"]
    month = int(month) if month.isdigit() else _MONTHS.index(month) + 1
    hour, minute, second, hours, minutes = (
        int(parts.get(name, 0)) for name in ("hour", "minute", "second", "hours", "minutes")
    )
    # The 60th is a leap second.
    if second > 60 or hours > 23 or minutes > 59:
        raise ValueError("no such time")
    start = datetime.datetime(
        int(parts["year"]), month, int(parts["day"]), hour, minute, tzinfo=datetime.timezone.utc
    )
    offset = datetime.timedelta(hours=hours, minutes=minutes) * (-1 if parts.get("sign") == "-" else 1)
    return (start - offset).timestamp() + second + float(f"0.{parts.get('fraction', 0)}")

"""What the tests of this folder share: a client that sends exactly what it is told, and a way to look into responses.

    response = api.post("/orders", json={"product": "tea"})
    assert response.status == 201
    assert response.at("/product") == "tea"
    order_id = response.at("/id").value
    api.cleanup.delete(f"/orders/{path(order_id)}")

Only `requests` is needed beyond Python's own library.
"""

import base64
import contextlib
import json as json_module
import math
import os
import queue
import secrets
import string
import threading
import time
import urllib.parse
import warnings
import zlib
from typing import NamedTuple

import requests
import urllib3
from requests.adapters import HTTPAdapter
from urllib3._collections import HTTPHeaderDict

# How many seconds a response may take, and how many bytes of a body are read.
TIMEOUT = float(os.environ.get("STEADY_TIMEOUT") or 30)
LARGEST = 4 << 20
ABSENT = object()
METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")


def env(name):
    """A secret from the environment; `Session.missing` has seen to it that it is there."""
    return os.environ[name]


def fresh(prefix, length, suffix=""):
    """A value of this run's own, so that a test can create the same thing twice."""
    alphabet = string.ascii_lowercase + string.digits
    return prefix + "".join(secrets.choice(alphabet) for _ in range(length)) + suffix


def text(value):
    """A value as it stands in a header or a URL: strings as they are, anything else as JSON."""
    return value if isinstance(value, str) else compact(value)


def path(value):
    """A value percent-encoded, so that it stays within its path segment or query parameter."""
    return urllib.parse.quote(text(value), safe="")


def json_text(value):
    """A value as within a JSON string, slashes escaped."""
    return json_module.dumps(value, ensure_ascii=False)[1:-1].replace("/", "\\/")


def base64_text(value):
    """A value in base64."""
    return base64.b64encode(value.encode()).decode()


def compact(value):
    """JSON without spaces."""
    return json_module.dumps(value, separators=(",", ":"), ensure_ascii=False)


class Part(NamedTuple):
    """A part of a multipart body."""

    name: str
    content: object
    filename: str = None
    content_type: str = None


part = Part


class Credentials(NamedTuple):
    """What calls carry to show who makes them."""

    headers: object = ()
    query: object = ()
    cookies: object = ()


class Base:
    """The address of the API in its parts: what it says about itself is another thing on every address."""

    def __init__(self, url):
        scheme, rest = url.split("://", 1)
        authority, slash, rest = rest.partition("/")
        self.authority = authority.lower()
        for default in ("http:80", "https:443"):
            if f"{scheme.lower()}:{self.authority.rpartition(':')[2]}" == default:
                self.authority = self.authority.rpartition(":")[0]
        self.origin = f"{scheme.lower()}://{self.authority}"
        self.path = slash + rest
        self.url = self.origin + self.path


class Session:
    """The address of the API and the logins made so far, shared by all tests of a run."""

    def __init__(self, url, identities, secrets=()):
        self.url = (os.environ.get("STEADY_URL") or url).rstrip("/")
        self.base = Base(self.url)
        self.identities = identities
        self.secrets = secrets
        self._credentials = {}
        self._verify = os.environ.get("REQUESTS_CA_BUNDLE") or True
        if os.environ.get("STEADY_INSECURE") == "1":
            self._verify = False

    def missing(self):
        """Which secrets the environment lacks, and what to do about it; None when it has them all."""
        names = [name for name in self.secrets if name not in os.environ]
        if not names:
            return None
        return f"set these environment variables, the tests need their values: {', '.join(names)}"

    @contextlib.contextmanager
    def test(self):
        """A client for one test. What the test leaves to `cleanup` is sent at the end, last left first sent."""
        left = []
        try:
            yield Api(self, left)
        finally:
            while left:
                # Nobody waits for a clean-up's answer, and one that fails must not stop the others.
                with contextlib.suppress(Exception):
                    left.pop()()

    def credentials(self, name):
        """What calls made as `name` carry. A login is made once, also when it fails: trying again may lock an account."""
        if name not in self._credentials:
            try:
                self._credentials[name] = self.identities[name](Api(self, []))
            except Exception as error:
                self._credentials[name] = error
        if isinstance(self._credentials[name], Exception):
            raise AssertionError(f"cannot make calls as {name}") from self._credentials[name]
        return self._credentials[name]

    def exchange(self, method, target, headers, content, content_type):
        """Sends one request as it is and reads the whole response."""
        request = requests.Request(method, self.url).prepare()
        request.url = target if target.startswith(("http://", "https://")) else self.url + target
        request.body = content
        request.headers = HTTPHeaderDict()
        names = {name.lower() for name, _ in headers}
        defaults = {"accept": "*/*", "accept-encoding": "gzip, deflate", "accept-language": "en"}
        if content_type is not None:
            defaults["content-type"] = content_type
        for name, value in [*headers, *((key, value) for key, value in defaults.items() if key not in names)]:
            if name.lower() not in ("content-length", "transfer-encoding"):
                # The wire carries UTF-8, whatever http.client believes.
                request.headers.add(name, value.encode().decode("latin-1"))
        if content is not None or method in ("POST", "PUT", "PATCH"):
            request.headers.add("content-length", str(len(content or b"")))
        with warnings.catch_warnings():
            # Whoever sets STEADY_INSECURE knows.
            warnings.simplefilter("ignore", urllib3.exceptions.InsecureRequestWarning)
            return _in_time(lambda: self._answer(f"{method} {target}", request), f"{method} {target}")

    def _answer(self, name, request):
        # The adapter alone: a requests session would keep cookies, follow redirects and read ~/.netrc. One for each
        # request: a connection that is kept may be closed by the server just when it is used.
        with contextlib.closing(HTTPAdapter()) as adapter:
            answer = adapter.send(request, stream=True, timeout=TIMEOUT, verify=self._verify)
            return Response(name, answer, *_read(answer))


def _in_time(work, name):
    """What the work yields. A server can keep a client busy without end, so another thread does it."""
    outcome = queue.Queue()

    def run():
        try:
            outcome.put((work(), None))
        except BaseException as error:
            outcome.put((None, error))

    threading.Thread(target=run, daemon=True).start()
    try:
        response, error = outcome.get(timeout=TIMEOUT)
    except queue.Empty:
        raise TimeoutError(f"{name}: the response was not complete after {TIMEOUT:g} seconds") from None
    if error is not None:
        raise error
    return response


def _read(answer):
    """The body, and whether it was cut because it is too large."""
    content, deadline = b"", time.monotonic() + TIMEOUT
    while len(content) <= LARGEST and time.monotonic() < deadline:
        chunk = answer.raw.read(1 << 16, decode_content=False)
        if not chunk:
            break
        content += chunk
    cut = len(content) > LARGEST
    codings = answer.headers.get("content-encoding", "").lower().split(",")
    for coding in reversed([coding.strip() for coding in codings]):
        if not cut and content and coding in ("gzip", "x-gzip", "deflate"):
            content, cut = _decoded(content, coding)
    return content[:LARGEST], cut


def _decoded(content, coding):
    """Decodes a body as far as it is not too large: a small one may become gigabytes."""
    # 31 reads the frame of gzip, 15 that of zlib, and -15 none: some servers mean that by deflate.
    frame = 31 if coding != "deflate" else 15 if content[0] == 0x78 else -15
    decoded = b""
    while content:
        decoder = zlib.decompressobj(frame)
        decoded += decoder.decompress(content, LARGEST + 1 - len(decoded))
        if len(decoded) > LARGEST:
            return b"", True
        if not decoder.eof:
            raise ValueError("the body ends before it is complete")
        content = decoder.unused_data if frame == 31 else b""
    return decoded, False


class Api:
    """Makes calls: `api.get("/orders")`, `api.acting_as("alice").post("/orders", json={})`."""

    def __init__(self, session, left, identity=None, later=False):
        self._session, self._left, self._identity, self._later = session, left, identity, later

    def acting_as(self, name):
        """The same client, as someone."""
        return Api(self._session, self._left, name, self._later)

    @property
    def cleanup(self):
        """The same client, for calls to be made when the test is over. Their answers do not matter."""
        return Api(self._session, self._left, self._identity, later=True)

    def send(self, method, target, headers=(), json=ABSENT, form=None, multipart=None, body=None, content_type=None):
        """Makes a call. Headers and forms are dictionaries, or pairs where a name comes twice."""
        headers = _pairs(headers)
        if json is not ABSENT:
            body, content_type = compact(json), "application/json"
        elif form is not None:
            body, content_type = _form(_pairs(form)), "application/x-www-form-urlencoded"
        elif multipart is not None:
            body, content_type = _multipart(multipart)
        content = body.encode() if isinstance(body, str) else body
        if self._later:
            self._left.append(lambda: self._send(method, target, headers, content, content_type))
            return None
        return self._send(method, target, headers, content, content_type)

    def _send(self, method, target, headers, content, content_type):
        if self._identity is not None:
            credentials = self._session.credentials(self._identity)
            given = {name.lower() for name, _ in headers}
            headers = headers + [pair for pair in _pairs(credentials.headers) if pair[0].lower() not in given]
            if credentials.cookies:
                own = [value for name, value in headers if name.lower() == "cookie"]
                headers = [pair for pair in headers if pair[0].lower() != "cookie"]
                headers.append(("cookie", "; ".join([*own, *credentials.cookies])))
            for name, value in _pairs(credentials.query):
                target += f"{'&' if '?' in target else '?'}{path(name)}={path(value)}"
        return self._session.exchange(method, target, headers, content, content_type)

    def __getattr__(self, name):
        if name not in METHODS:
            raise AttributeError(name)
        return lambda target, **request: self.send(name.upper(), target, **request)


def _pairs(pairs):
    return list(pairs.items() if isinstance(pairs, dict) else pairs)


def _form(fields):
    def encoded(field):
        return urllib.parse.quote_plus(field, safe="*").replace("~", "%7E")

    return "&".join(f"{encoded(name)}={encoded(value)}" for name, value in fields)


def _multipart(parts):
    def quoted(name):
        return name.replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")

    boundary = f"steady-{secrets.token_hex(16)}"
    body = b""
    for name, content, filename, content_type in parts:
        body += f'--{boundary}\r\nContent-Disposition: form-data; name="{quoted(name)}"'.encode()
        if filename is not None:
            body += f'; filename="{quoted(filename)}"'.encode()
        if content_type is not None:
            body += f"\r\nContent-Type: {content_type}".encode()
        body += b"\r\n\r\n" + (content.encode() if isinstance(content, str) else content) + b"\r\n"
    return body + f"--{boundary}--\r\n".encode(), f"multipart/form-data; boundary={boundary}"


class Response:
    """A response: its status, its headers by name, its body by JSON pointer."""

    def __init__(self, request, answer, content, cut):
        self._request, self._status, self._content = request, answer.status_code, content
        self._cut = cut
        self._headers = answer.raw.headers
        self._document = self._read()

    @property
    def status(self):
        """The status code."""
        return Found(self, "status", self._status)

    @property
    def media_type(self):
        """The content type without its parameters, in lower case."""
        return Found(self, "media type", self._media_type())

    @property
    def cookies(self):
        """The cookies that a login sets, as `name=value`; the last one of a name counts."""
        pairs = [value.split(";")[0].strip().split("=", 1) for value in self._all("set-cookie")]
        cookies = dict(pair for pair in pairs if len(pair) == 2)
        if not cookies or self._status >= 400:
            raise AssertionError(f"{self!r} sets no cookie")
        return [f"{name}={value}" for name, value in cookies.items()]

    def header(self, name):
        """The first value of a header."""
        return Found(self, f"header:{name}", next(iter(self._all(name)), ABSENT))

    def at(self, pointer):
        """The value at a JSON pointer of the body; a text body is one value at the root, ``""``."""
        if self._cut:
            raise AssertionError(f"{self!r}: the body is larger than {LARGEST} bytes and was cut")
        return Found(self, f"body:{pointer}", _at(self._document, pointer))

    def __repr__(self):
        body = self._content[:300].decode(errors="replace")
        return f"{self._request} -> {self._status} {body}{'…' if len(self._content) > 300 else ''}"

    def _all(self, name):
        # White space around a value is no part of it (RFC 9110 section 5.5), and not every client takes it off.
        return [_readable(value).strip(" \t") for value in self._headers.getlist(name)]

    def _media_type(self):
        content_type = next(iter(self._all("content-type")), "")
        return content_type.split(";")[0].strip().lower() or ABSENT

    def _read(self):
        if not self._content:
            return ABSENT
        try:
            content = self._content.decode()
        except UnicodeDecodeError:
            return base64.b64encode(self._content).decode()
        media_type = self._media_type()
        if media_type is not ABSENT and (
            media_type in ("application/json", "text/json") or media_type.endswith("+json")
        ):
            with contextlib.suppress(ValueError, RecursionError):
                return _Json(read_json(content))
        return content


class _Json:
    def __init__(self, value):
        self.value = value


def _readable(header):
    try:
        return header.encode("latin-1").decode()
    except UnicodeError:
        return header


def _at(document, pointer):
    if not isinstance(document, _Json):
        return document if pointer == "" else ABSENT
    value = document.value
    for token in pointer.split("/")[1:]:
        token = token.replace("~1", "/").replace("~0", "~")
        if isinstance(value, dict) and token in value:
            value = value[token]
        elif isinstance(value, list) and _is_index(token) and int(token) < len(value):
            value = value[int(token)]
        else:
            return ABSENT
    return value


def _is_index(token):
    return token.isascii() and token.isdigit() and len(token) < 10 and (token == "0" or token[0] != "0")


def read_json(content):
    """Reads JSON strictly: no NaN, no infinite numbers, no broken characters, no absurd nesting."""
    value = json_module.loads(content, parse_int=_integer, parse_float=_finite, parse_constant=_refuse)
    compact(value).encode()
    depth, level = 0, [value]
    while level:
        level = [item for item in level if isinstance(item, (dict, list))]
        level = [child for item in level for child in (item.values() if isinstance(item, dict) else item)]
        depth += 1
        if depth > 128:
            raise ValueError("nested too deeply")
    return value


def _integer(digits):
    number = int(digits) if len(digits) <= 20 else 2**64
    return number if -(2**63) <= number < 2**64 else _finite(digits)


def _finite(digits):
    number = float(digits)
    if math.isinf(number):
        raise ValueError(f"{digits} is out of range")
    return number


def _refuse(name):
    raise ValueError(f"{name} is not JSON")


def same(left, right):
    """Whether two JSON values are the same: numbers by value, so 1 is 1.0, but true is not 1."""
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if isinstance(left, (int, float)) and isinstance(right, (int, float)):
        return left == right
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(same, left, right))
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(same(left[key], right[key]) for key in left)
    return type(left) is type(right) and left == right


class Expectation:
    """What a value may be, where no single one is expected: see `steady_matchers.py`."""

    def __init__(self, words, met_by):
        self._words, self.met_by = words, met_by

    def __repr__(self):
        return f"<{self._words}>"


class Found:
    """What a response holds at a place. Compare it with `==`; `value` takes it out."""

    __hash__ = None

    def __init__(self, response, place, value):
        self._response, self._place, self._value = response, place, value

    def __eq__(self, expected):
        if isinstance(expected, Expectation):
            return self.present and expected.met_by(self._value, self._response)
        if isinstance(expected, Found):
            expected = expected._value
        return self.present and same(self._value, expected)

    def equals(self, expected):
        """The same as `==`, for true, false and null."""
        return self == expected

    @property
    def value(self):
        """The value itself; the test fails when there is none."""
        if self._value is ABSENT or self._value is None:
            raise AssertionError(f"{self!r}: expected a value")
        return self._value

    @property
    def last_segment(self):
        """The last segment of a URL's path, decoded: the id at the end of a `Location`."""
        if not isinstance(self.value, str):
            return self.value
        url = urllib.parse.urlsplit(self.value)
        segment = url.path.rstrip("/").rsplit("/", 1)[-1]
        if not segment:
            raise AssertionError(f"{self!r}: expected a path that ends in something")
        return urllib.parse.unquote(segment)

    @property
    def number(self):
        """The value when it is a number; None for anything else, true and false included."""
        return self._value if self.is_a("number") else None

    @property
    def size(self):
        """The length of an array; None for anything else."""
        return len(self._value) if isinstance(self._value, list) else None

    def is_a(self, name):
        """Whether the value is of this JSON type; every integer is a number."""
        value = self._value
        if isinstance(value, bool):
            return name == "boolean"
        if isinstance(value, (int, float)):
            return name == "number" or (name == "integer" and (isinstance(value, int) or value.is_integer()))
        types = {"null": type(None), "string": str, "array": list, "object": dict}
        return name in types and isinstance(value, types[name])

    @property
    def present(self):
        """Whether anything is there, null included."""
        return self._value is not ABSENT

    @property
    def absent(self):
        """Whether nothing is there; at the body's root: no body."""
        return self._value is ABSENT

    def __repr__(self):
        value = "nothing" if self._value is ABSENT else compact(self._value)
        shown = value if len(value) <= 200 else value[:200] + "…"
        return f"<{self._place} is {shown}, of {self._response!r}>"

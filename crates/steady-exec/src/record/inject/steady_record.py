"""Writes every HTTP exchange of the running test, with the lines of the project that asked for it."""

import base64
import codecs
import contextlib
import functools
import importlib.abc
import importlib.util
import json
import os
import sys
import threading
import time
import urllib.parse

FOLDER = os.environ.get("STEADY_RECORD")
ROOT = os.path.join(os.environ.get("STEADY_RECORD_ROOT", os.getcwd()), "")
LIMIT = 1 << 20
# When a process has written so much, further exchanges come without their bodies.
TOTAL_LIMIT = 128 << 20
# Installed packages may lie inside the project and are no part of it.
FOREIGN = (f"{os.sep}site-packages{os.sep}", f"{os.sep}dist-packages{os.sep}", f"{os.sep}node_modules{os.sep}")
OWN = os.path.dirname(os.path.realpath(__file__))

current = None
counts = {}
written = 0
here = threading.local()


@contextlib.contextmanager
def test(name):
    """What is asked for in here belongs to this test."""
    global current
    before, current = current, name
    try:
        yield
    finally:
        current = before


@functools.lru_cache(maxsize=None)
def ours(name):
    """The path of a source file of the project's own."""
    # What was compiled from text, as the runner's own start is, has no file: `<string>`.
    if name.startswith("<"):
        return None
    file = os.path.realpath(name)
    is_ours = file.startswith(ROOT) and not file.startswith(OWN) and not any(part in file for part in FOREIGN)
    return file if is_ours else None


def frames():
    found = []
    frame = sys._getframe(1)
    while frame is not None:
        file = ours(frame.f_code.co_filename)
        if file is not None:
            found.append({"file": file, "line": frame.f_lineno})
        frame = frame.f_back
    return found


class Call:
    """One request, from the moment it is asked for."""

    def __init__(self, method, url):
        self.frames = frames()
        self.test = current
        self.sequence = counts[current] = counts.get(current, 0) + 1
        self.request = {"method": str(method), "url": without_credentials(str(url))}

    def answered(self, status, headers, content, inside=False):
        """`content` is None where the test reads the body as a stream; `inside`: the API runs in this process."""
        global written
        if written > TOTAL_LIMIT:
            content = None
        response = {"status": status, "headers": [[name.lower(), value] for name, value in headers]}
        response["truncated"] = content is None or len(content) > LIMIT
        response["body"] = payload((content or b"")[:LIMIT], response["truncated"])
        line = {"test": self.test, "sequence": self.sequence, "frames": self.frames}
        line.update(request=self.request, response=response, inside=inside, clock=time.time())
        written += append("exchanges", line)

    def unanswered(self, error):
        append("unanswered", {"url": self.request["url"], "error": str(error)[:500]})


def append(kind, line):
    # A file for each process: lines are too long to be written in one piece.
    with open(os.path.join(FOLDER, f"{kind}-{os.getpid()}.jsonl"), "ab") as file:
        return file.write(json.dumps(line).encode("ascii") + b"\n")


def failed(name, traceback):
    """Writes the lines of the project that a failure came through, innermost first."""
    found = []
    while traceback is not None:
        file = ours(traceback.tb_frame.f_code.co_filename)
        if file is not None:
            found.insert(0, {"file": file, "line": traceback.tb_lineno})
        traceback = traceback.tb_next
    append("failures", {"test": name, "frames": found})


def payload(content, is_cut):
    try:
        # What was cut may end in the middle of a character.
        return {"text": codecs.getincrementaldecoder("utf-8")().decode(content, final=not is_cut)}
    except UnicodeDecodeError:
        return {"bytes": base64.b64encode(content).decode("ascii")}


def without_credentials(url):
    parts = urllib.parse.urlsplit(url)
    return parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()


@contextlib.contextmanager
def never_in_the_way():
    """A recorder that fails must not fail the test."""
    with contextlib.suppress(Exception):
        yield


def asked(request):
    with never_in_the_way():
        return Call(request.method, request.url)
    return None


def watch_requests(module):
    theirs = module.Session.send

    @functools.wraps(theirs)
    def send(self, request, **options):
        if getattr(here, "is_sending", False):
            # A redirect that is followed: the test sees the last answer only.
            return theirs(self, request, **options)
        call = asked(request)
        here.is_sending = True
        try:
            response = theirs(self, request, **options)
        except Exception as error:
            with never_in_the_way():
                call.unanswered(error)
            raise
        finally:
            here.is_sending = False
        with never_in_the_way():
            raw = getattr(response.raw, "headers", None)
            headers = raw.items() if hasattr(raw, "items") else response.headers.items()
            call.answered(response.status_code, list(headers), None if options.get("stream") else response.content)
        return response

    module.Session.send = send


def watch_httpx(module):
    def recorded(call, client, response, is_stream):
        with never_in_the_way():
            transport = client._transport_for_url(response.request.url)
            inside = not isinstance(transport, (module.HTTPTransport, module.AsyncHTTPTransport))
            content = None if is_stream else response.content
            call.answered(response.status_code, response.headers.multi_items(), content, inside)
        return response

    theirs, theirs_async = module.Client.send, module.AsyncClient.send

    @functools.wraps(theirs)
    def send(self, request, *, stream=False, **options):
        call = asked(request)
        try:
            response = theirs(self, request, stream=stream, **options)
        except Exception as error:
            with never_in_the_way():
                call.unanswered(error)
            raise
        return recorded(call, self, response, stream)

    @functools.wraps(theirs_async)
    async def send_async(self, request, *, stream=False, **options):
        call = asked(request)
        try:
            response = await theirs_async(self, request, stream=stream, **options)
        except Exception as error:
            with never_in_the_way():
                call.unanswered(error)
            raise
        return recorded(call, self, response, stream)

    module.Client.send, module.AsyncClient.send = send, send_async


def watch_werkzeug(module):
    """The test client of Flask and others, which calls the application without a connection."""
    theirs = module.Client.open

    @functools.wraps(theirs)
    def open(self, *args, **options):
        call = None
        with never_in_the_way():
            call = Call("GET", "http://localhost/")
        response = theirs(self, *args, **options)
        with never_in_the_way():
            request = response.request
            call.request = {"method": request.method, "url": without_credentials(request.url)}
            # Every answer comes as an iterator. A body whose length is known has an end, and can be read again by the test.
            is_whole = not response.is_streamed or "Content-Length" in response.headers
            content = response.get_data() if is_whole else None
            call.answered(response.status_code, list(response.headers.items()), content, True)
        return response

    module.Client.open = open


WATCHED = {"requests.sessions": watch_requests, "httpx": watch_httpx, "werkzeug.test": watch_werkzeug}


class Finder(importlib.abc.MetaPathFinder):
    """Sees the HTTP clients as they are imported, whenever that is."""

    def find_spec(self, name, path=None, target=None):
        watch = WATCHED.pop(name, None)
        spec = importlib.util.find_spec(name) if watch else None
        if spec is None or spec.loader is None:
            return None
        load = spec.loader.exec_module

        def exec_module(module):
            load(module)
            with never_in_the_way():
                watch(module)

        spec.loader.exec_module = exec_module
        return spec


def start():
    if not FOLDER or any(isinstance(finder, Finder) for finder in sys.meta_path):
        return
    for name in [name for name in WATCHED if name in sys.modules]:
        WATCHED.pop(name)(sys.modules[name])
    sys.meta_path.insert(0, Finder())

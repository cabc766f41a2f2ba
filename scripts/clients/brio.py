"""A client of brio runs: say lines, send events and detections, wait for what happens.

One file for Python 3.8 and newer; it needs nothing but the standard library. Copy it beside your program.

    import brio
    with brio.connect("kiosk") as robot:          # a socket, a process, or a piece of the behavior's or robot's name
        print(robot.say("state"))
        robot.subscribe("events", "states")
        robot.say('say "hello"')
        print(robot.wait("said", timeout=10))

See docs/operators/clients.md. License: MIT, as brio.
"""
import collections
import json
import os
import socket
import time

__all__ = ["BrioError", "Detector", "Ended", "Refused", "Robot", "connect", "runs"]

LONGEST = 65536  # bytes of a line to a run
KEPT = 4096  # pushed lines that wait to be read, at most


class BrioError(Exception):
    """What can go wrong with a run; also: no run matches, or several do."""


class Refused(BrioError):
    """The run has refused a line; its sentence says why."""


class Ended(BrioError):
    """The run has ended, or the connection is lost."""


class Crashed(Ended):
    """The run is gone: its engine crashed or was killed."""


def _folders():
    """The folders of this user's sockets, in which nobody else can put anything."""
    places = [("/tmp", "brio-%d" % os.getuid())]
    if os.environ.get("XDG_RUNTIME_DIR"):
        places.append((os.environ["XDG_RUNTIME_DIR"], "brio"))
    for parent, usual in places:
        for name in sorted(os.listdir(parent)) if os.path.isdir(parent) else []:
            folder = os.path.join(parent, name)
            if name != usual and not name.startswith(usual + "."):
                continue
            own = os.path.isdir(folder) and not os.path.islink(folder) and os.lstat(folder).st_uid == os.getuid()
            if own:
                yield folder


def runs():
    """The runs of this user that answer: a list of dictionaries with socket, behavior, robot, and number and store of
    one that is recorded."""
    found = []
    for folder in _folders():
        for name in sorted(os.listdir(folder)):
            path = os.path.join(folder, name)
            if not name.endswith(".sock"):
                continue
            try:
                with Robot(path, timeout=2) as robot:
                    found.append(dict(robot.about, socket=path))
            except (OSError, BrioError):
                pass
    return found


def _is_called(run, name):
    base = os.path.basename(run.get("behavior") or "")
    process = os.path.basename(run["socket"])[: -len(".sock")]
    number = str(run["number"]) if run.get("number") else None
    return name in (process, number, base, base[:-4] if base.endswith(".lua") else base, run.get("robot"))


def _has_piece(run, name):
    return name in os.path.basename(run.get("behavior") or "") or name in (run.get("robot") or "")


def _split(name):
    """The store and the word of "FILE#RUN" or "FILE"; a word without a store: None, word."""
    file, mark, word = name.rpartition("#")
    if mark and os.path.isfile(file):
        return file, word or None
    return (name, None) if os.path.isfile(name) else (None, name)


def _in_store(run, file):
    store = run.get("store")
    return bool(store) and os.path.realpath(store) == os.path.realpath(file)


def _find(name):
    file, word = _split(name) if name else (None, None)
    known = [run for run in runs() if file is None or _in_store(run, file)]
    if word is None:
        meant = known
    elif word == "last":
        meant = sorted(known, key=lambda run: os.stat(run["socket"]).st_ctime)[-1:]
    else:
        meant = [run for run in known if _is_called(run, word)] or [run for run in known if _has_piece(run, word)]
    if len(meant) == 1:
        return meant[0]["socket"]
    if not meant:
        raise BrioError("no run matches %r" % name if name else "no run goes on")
    listed = ", ".join("%s (%s)" % (run["socket"], run.get("behavior")) for run in meant)
    raise BrioError("%d runs are meant: %s" % (len(meant), listed))


def connect(run=None, **options):
    """Connect to a run: a socket's path; a process; the number of a run in its store, or STORE#NUMBER; "last"; a
    piece of the behavior's or robot's name; None: the only one. Options: see Robot. Raises BrioError where none or
    several are meant, OSError where nobody listens."""
    text = None if run is None else str(run)
    is_path = text and "/" in text and _split(text)[0] is None
    return Robot(text if is_path else _find(text), **options)


class Robot:
    """A connection to a run.

    path     the socket
    name     who says the lines, for the record; None: this user
    token    where a group shares the socket, or people have tokens; None: $BRIO_TOKEN, or what stands beside the socket
    timeout  s; how long an answer is waited for (None: without end)
    """

    def __init__(self, path, name=None, token=None, timeout=30):
        self.path, self.timeout = path, timeout
        self.dropped = 0  # pushed lines that were lost because this program did not read them in time
        self.about = {}  # what runs there: behavior, robot, version, number, store
        self._rest, self._next, self._pushed, self._answers = b"", 0, collections.deque(), {}
        self._over = False
        self._wire = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            self._wire.connect(path)
            token = token or os.environ.get("BRIO_TOKEN") or _token_beside(path)
            said = {"device": "pipe", "who": name, "token": token}
            reply = self.ask(**{key: value for key, value in said.items() if value})
            self.about = reply.get("about") or {}
        except BaseException:
            self._wire.close()
            raise

    def close(self):
        """Leave; the run goes on."""
        try:
            self._wire.sendall(b'{"bye":true}\n')
        except OSError:
            pass
        self._wire.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    # -- lines ------------------------------------------------------------------------------------------------------

    def ask(self, **fields):
        """Send a request of the protocol and return its whole answer, a dictionary. Raises Refused, Ended, TimeoutError."""
        self._next += 1
        number = self._next
        line = json.dumps(dict(fields, id=number)).encode() + b"\n"
        if len(line) > LONGEST:
            raise Refused("a line may have %d bytes at most" % LONGEST)
        try:
            self._wire.settimeout(self.timeout)
            self._wire.sendall(line)
        except socket.timeout:
            raise TimeoutError("the run takes no line within %g s" % self.timeout) from None
        except OSError as fault:
            raise Ended("the connection is lost: %s" % fault) from None
        till = _till(self.timeout)
        while number not in self._answers:
            self._read(till, "the run has not answered within %s s" % self.timeout)
        reply = self._answers.pop(number)
        if "error" in reply:
            raise Refused(reply["error"])
        return reply

    def say(self, line):
        """Say a line as at the prompt (`state`, `say hello`, `go greet`, Lua) and return the answer's text."""
        return self.ask(line=line).get("text", "")

    def emit(self, event, **data):
        """Tell the behavior that something happened: its `on = { EVENT = ... }`, with data as its fields."""
        return self.say("emit %s %s" % (event, _lua(data)) if data else "emit " + event)

    def panic(self):
        """Stop every motor at once; `release` at the prompt, or say("release"), lets them go on."""
        return self.ask(panic=True).get("text", "")

    # -- what happens -----------------------------------------------------------------------------------------------

    def subscribe(self, *topics):
        """Subscribe to events ("events", "events=said,touched"), "states", "tree" and poses ("poses=20", Hz), instead of what
        was subscribed to before; no topic: to nothing any more."""
        return self.say("subscribe " + (" ".join(topics) or "off"))

    def next(self, timeout=None):
        """The next pushed line, a dictionary with `push` ("event", "state", "tree", "pose") and `t`; None after `timeout` s."""
        till = _till(timeout)
        while not self._pushed:
            try:
                self._read(till, "")
            except TimeoutError:
                return None
        return self._pushed.popleft()

    def wait(self, event, timeout=None, where=None):
        """Wait for an event of that name, of whose data where(data) is true; what comes before it is passed over. Return its
        line, with `t`, `source` and `data`. Raises TimeoutError."""
        return self._wait_for(lambda one: one["push"] == "event" and one["name"] == event
                              and (where is None or where(one.get("data"))), "event " + event, timeout)

    def wait_state(self, state, timeout=None):
        """Wait until a state is entered; what comes before is passed over. Raises TimeoutError."""
        return self._wait_for(lambda one: one["push"] == "state" and one["state"] == state, "state " + state, timeout)

    def _wait_for(self, fits, what, timeout):
        till = _till(timeout)
        while True:
            one = self.next(None if till is None else max(0.0, till - time.monotonic()))
            if one is None:
                raise TimeoutError("no %s within %g s" % (what, timeout))
            if fits(one):
                return one

    def __iter__(self):
        """All that is pushed, until the run ends. Raises Crashed."""
        while True:
            try:
                yield self.next()
            except Crashed:
                raise
            except Ended:
                return

    # -- the wire ---------------------------------------------------------------------------------------------------

    def _read(self, till, late):
        """Read some bytes, and take the lines that are whole."""
        left = None if till is None else till - time.monotonic()
        if left is not None and left <= 0:
            left = 0.001  # what is there already counts
        try:
            self._wire.settimeout(left)
            data = self._wire.recv(65536)
        except socket.timeout:
            raise TimeoutError(late) from None
        except OSError as fault:
            raise Ended("the connection is lost: %s" % fault) from None
        if not data and self._over:
            raise Ended("the run has ended")
        if not data:
            raise Crashed("the engine is gone: it crashed or was killed")
        lines = (self._rest + data).split(b"\n")
        self._rest = lines.pop()
        for line in lines:
            self._take(json.loads(line))

    def _take(self, message):
        self._over = self._over or message.get("ended") is True
        if "push" in message:
            if len(self._pushed) >= KEPT:
                self._pushed.popleft()
                self.dropped += 1
            self._pushed.append(message)
        elif "dropped" in message:
            self.dropped += message["dropped"]
        elif "id" in message:
            self._answers[message["id"]] = message
        elif "error" in message:
            raise Refused(message["error"])


class Detector:
    """Sends what another program sees to a run that was started with `--detections udp:PORT`.

    docs/perception/detectors.md has the messages.
    """

    def __init__(self, port, host="127.0.0.1"):
        self._place, self._number = (host, int(port)), 0
        self._wire = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)

    def send(self, *detections, seen_at=None):
        """Send what is seen now: dictionaries such as {"class": "cup", "pose": [x, y, z]} (m, in the frame that the run
        was told), with "confidence", "id", "size", "color"; none: nothing is seen. seen_at: s of time.monotonic()."""
        self._number += 1
        now = time.monotonic()
        message = {"t": now if seen_at is None else seen_at, "sent": now, "seq": self._number, "detections": list(detections)}
        self._wire.sendto(json.dumps(message).encode(), self._place)

    def close(self):
        self._wire.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def _till(timeout):
    return None if timeout is None else time.monotonic() + timeout


def _token_beside(path):
    try:
        with open(path + ".token") as file:
            return file.readline().strip() or None
    except OSError:
        return None


def _lua(value):
    """A value as Lua writes it."""
    if value is None:
        return "nil"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        if value != value or value in (float("inf"), float("-inf")):
            raise ValueError("%r cannot be sent to a behavior" % value)
        return repr(value)
    if isinstance(value, str):
        return '"%s"' % "".join("\\%03d" % byte if byte < 32 or byte in b'"\\' else chr(byte)
                                for byte in value.encode()).encode("latin-1").decode()
    if isinstance(value, dict):
        return "{%s}" % ", ".join("[%s] = %s" % (_lua(key), _lua(item)) for key, item in value.items())
    if isinstance(value, (list, tuple)):
        return "{%s}" % ", ".join(_lua(item) for item in value)
    raise TypeError("%s cannot be sent to a behavior" % type(value).__name__)

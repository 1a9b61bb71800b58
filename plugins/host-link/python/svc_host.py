"""Makes a Python application a host of svc: its functions become tools that agents call.

    import svc_host

    @svc_host.tool(affinity="main", read_only=True)
    def count_objects(kind: str = "MESH") -> int:
        '''Counts the objects of one kind.

        Args:
            kind: kind of object, such as MESH or LIGHT
        '''
        return sum(1 for each in scene.objects if each.type == kind)

    svc_host.start(dcc_type="blender", dcc_version="4.2")

The application then calls `svc_host.pump()` again and again on its main thread, from a timer, and lets as many seconds pass
as it returns. An application without a window calls `svc_host.run_forever()` instead.

* Tools with affinity "main" run inside `pump()` and may touch the application; those with affinity "any" run in a pool of
  four threads and must not.
* A generator is a cooperative job: each `yield` gives the application its time back, `yield 0.1` at least that many
  seconds, and what it returns is the result. It is closed when its caller cancels.
* A parameter named `call` is the call itself: `call.progress(3, 10, "..")`, `call.log("info", "..")`,
  `call.on_cancel(function)`, `call.cancelled`.
* `answer = yield call.elicit("Which one?", {"properties": {..}})` asks the user, `call.sample(..)` the model, `call.roots()`
  for the folders; a plain function in the pool says `call.elicit(..).wait()`.
* `raise svc_host.ToolError("No object is named X", code="NO_OBJECT", name="X")` reaches the caller as it is.
* `set_scene`, `set_documents`, `set_status` tell what is open; `resource`, `prompt`, `on`, `before`, `emit`,
  `register_job_type`, `feedback_tool`, `event_buffer` and `operation` are everything else that a host can do. What stands
  before `start()` is there as soon as the server is.

The server is a child process (`svc-server host --stdio`, Node), started again when it is lost; nothing listens in this
process. `state()` tells how it goes. Standard library only, Python 3.7 and newer.
"""
import atexit
import base64
import collections
import collections.abc
import enum
import hashlib
import inspect
import io
import json
import logging
import os
import platform
import queue
import re
import runpy
import shlex
import shutil
import subprocess
import sys
import threading
import time
import traceback
import typing
from typing import Any, Callable, Deque, Dict, Iterable, List, Optional, Union

__version__ = "0.1.0"
__all__ = [
    "Call", "Cancelled", "Host", "Question", "ToolError", "before", "child", "emit", "event_buffer", "feedback_tool", "image",
    "list_changed", "on", "operation", "operation_later", "prompt", "pump", "register_job_type", "report_error", "resource", "run_forever",
    "path_to_write", "set_documents", "set_scene", "set_status", "start", "state", "stop", "tool", "untool", "updated", "whole_path",
]  # fmt: skip

#: Versions of the protocol that this module speaks.
PROTOCOL = 1
MIN_PROTOCOL = 1
#: Longest line, either way.
MAX_LINE = 8 * 1024 * 1024

_SLICE = 0.004
_TICK_BUSY = 0.002
_TICK_IDLE = 0.02
_STAYS_BUSY = 2.0
_POOL = 4
_BACK_OFF = (0.2, 30.0)
_KEPT_LOG = 200
_OWN_VARIABLES = ("SVC_HOST_COMMAND", "SVC_HOST_OPTIONS", "SVC_NODE", "SVC_RENDER_CHILD")

Json = Union[None, bool, int, float, str, List[Any], Dict[str, Any]]
Handler = Callable[..., Any]
_log = logging.getLogger("svc_host")


class ToolError(Exception):
    """A failure that the caller can do something about: message, code and details reach it as they are."""

    def __init__(self, message: str, code: str = "TOOL_ERROR", retryable: bool = False, **details: Any) -> None:
        Exception.__init__(self, message)
        self.message = message
        self.code = code
        self.retryable = retryable
        self.details = details


class Cancelled(Exception):
    """Raised by `call.check()` once the caller has cancelled."""


class Question:
    """Something that was asked: `yield` it in a generator, or `wait()` for it on a thread that is not the main one."""

    def __init__(self, call: "Optional[Call]" = None, main: bool = False) -> None:
        self._told = None  # type: Optional[Dict[str, Any]]
        self._event = threading.Event()
        self._call = call
        self._main = main

    @property
    def done(self) -> bool:
        return self._told is not None

    def _answer(self, told: Dict[str, Any]) -> None:
        if self._told is None:
            self._told = told
            self._event.set()

    def result(self) -> Any:
        """What was answered; raises `ToolError` with why nothing was."""
        told = self._told or {"error": {"message": "it is not answered yet", "code": "NOT_ANSWERED"}}
        if "error" in told:
            raise ToolError(told["error"].get("message", ""), told["error"].get("code", "SVC_ERROR"))
        return told.get("value")

    def wait(self, timeout: Optional[float] = None) -> Any:
        """Waits for the answer and returns it."""
        if self._main:
            raise RuntimeError("the main thread does not wait for an answer: yield the question instead")
        end = None if timeout is None else time.monotonic() + timeout
        while not self._event.wait(0.1):
            if self._call is not None:
                self._call.check()
            if end is not None and time.monotonic() >= end:
                raise ToolError("it was not answered within %g s" % timeout, "NOT_ANSWERED", True)  # type: ignore
        return self.result()


class Call:
    """One call, as its handler sees it. Every method may be used from any thread."""

    def __init__(self, link: "_Link", message: Dict[str, Any], name: str, main: bool = True) -> None:
        self._link = link
        self._main = main
        self._lock = threading.Lock()
        self._on_cancel = []  # type: List[Callable[[], Any]]
        self.id = message["id"]  # type: str
        self.name = name
        #: Milliseconds since the epoch; None for a job.
        self.deadline = message.get("deadline")  # type: Optional[float]
        self.job = bool(message.get("job"))
        self.meta = message.get("meta") or {}  # type: Dict[str, Any]
        self.reason = None  # type: Optional[str]

    @property
    def cancelled(self) -> bool:
        return self.reason is not None

    def check(self) -> None:
        """Raises `Cancelled` when nobody waits for the result any more: for loops in plain functions."""
        if self.reason is not None:
            raise Cancelled(self.reason)

    def progress(self, current: float, total: Optional[float] = None, message: Optional[str] = None) -> None:
        """Tells the caller how far it is; `current` grows. Told often, only the newest is sent."""
        told = {"t": "progress", "id": self.id, "progress": current, "total": total, "message": message}
        self._link.progress(self.id, told)

    def log(self, level: str, data: Json) -> None:
        """Tells the caller something: "debug", "info", "warning" or "error"."""
        self._link.send({"t": "log", "id": self.id, "level": level, "data": data})

    def close_stream(self, retry: float = 0) -> None:
        """Lets the client go during a long call: it comes back for the answer after `retry` seconds. Since 2025-11-25."""
        self._link.send({"t": "close_stream", "id": self.id, "retry_ms": retry * 1000})

    def ask(self, method: str, params: Optional[Dict[str, Any]] = None, timeout: Optional[float] = None) -> Question:
        """Sends a request of MCP to the client; the deadline of the call stands still until it is answered."""
        message = {"t": "ask", "call": self.id, "method": method, "params": params or {}}  # type: Dict[str, Any]
        if timeout is not None:
            message["timeout_ms"] = timeout * 1000
        return self._link.ask(message, Question(self, self._main))

    def elicit(self, message: str, schema: Dict[str, Any], timeout: Optional[float] = None) -> Question:
        """Asks the user by a form; the answer has `action` (accept, decline, cancel) and `content`."""
        form = dict({"type": "object"}, **schema)
        return self.ask("elicitation/create", {"message": message, "requestedSchema": form}, timeout)

    def sample(self, messages: Any, max_tokens: int = 1024, timeout: Optional[float] = None, **others: Any) -> Question:
        """Asks the model of the client: a text, or messages; `others` as MCP spells them, such as systemPrompt."""
        said = [{"role": "user", "content": {"type": "text", "text": messages}}] if isinstance(messages, str) else messages
        return self.ask("sampling/createMessage", dict(others, messages=said, maxTokens=max_tokens), timeout)

    def roots(self, timeout: Optional[float] = None) -> Question:
        """Asks for the folders that the client works in; the answer has them as `roots`."""
        return self.ask("roots/list", {}, timeout)

    def on_cancel(self, action: Callable[[], Any]) -> None:
        """Calls `action` once when the caller cancels, on a thread of its own: to kill a child, not to touch the scene."""
        with self._lock:
            if self.reason is None:
                self._on_cancel.append(action)
                return
        _aside(action)

    def _cancel(self, reason: str) -> None:
        with self._lock:
            if self.reason is not None:
                return
            self.reason = reason
            actions, self._on_cancel = self._on_cancel, []
        for action in actions:
            _aside(action)


def _aside(action: Callable[[], Any]) -> None:
    def run() -> None:
        try:
            action()
        except Exception:
            _log.exception("an action on cancel failed")

    threading.Thread(target=run, name="svc_host cancel", daemon=True).start()


# --- What a function says of itself ------------------------------------------------------------------------------------

_SIMPLE = {str: "string", int: "integer", float: "number", bool: "boolean", dict: "object", list: "array", tuple: "array"}


def _schema_of(hint: Any) -> Dict[str, Any]:
    """JSON Schema of a type hint; an unknown one allows anything."""
    if hint in _SIMPLE:
        return {"type": _SIMPLE[hint]}
    if hint is type(None):
        return {"type": "null"}
    if isinstance(hint, type) and issubclass(hint, enum.Enum):
        return {"enum": [each.value for each in hint]}
    origin = getattr(hint, "__origin__", None)
    given = [each for each in getattr(hint, "__args__", None) or () if not isinstance(each, typing.TypeVar)]
    if str(origin).endswith("Literal"):
        return {"enum": given}
    if origin is Union or type(hint).__name__ == "UnionType":
        kinds = [_schema_of(each) for each in given]
        return kinds[0] if len(kinds) == 1 else {"anyOf": kinds}
    if not isinstance(origin, type):
        return {}
    if issubclass(origin, tuple) and given and given[-1] is not Ellipsis:
        items = [_schema_of(each) for each in given]
        same = all(each == items[0] for each in items)
        return {
            "type": "array",
            "items": items[0] if same else {"anyOf": items},
            "minItems": len(items),
            "maxItems": len(items),
        }
    if issubclass(origin, collections.abc.Mapping):
        return {"type": "object", "additionalProperties": _schema_of(given[1]) if len(given) == 2 else {}}
    if issubclass(origin, collections.abc.Iterable):
        return {"type": "array", "items": _schema_of(given[0]) if given else {}}
    return {}


def _enum_of(hint: Any) -> Optional[type]:
    for each in [hint] + list(getattr(hint, "__args__", None) or ()):
        if isinstance(each, type) and issubclass(each, enum.Enum):
            return each
    return None


def _doc_of(function: Handler) -> "tuple[str, Dict[str, str]]":
    """The text of a docstring without its `Args:`, and what that says of each parameter."""
    text = inspect.getdoc(function) or ""
    said, _, rest = text.partition("\nArgs:")
    found = {}  # type: Dict[str, str]
    name = ""
    for line in rest.split("\n"):
        match = re.match(r"\s+(\w+)(?:\s*\([^)]*\))?:\s+(.*)$", line)
        if match:
            name = match.group(1)
            found[name] = match.group(2).strip()
        elif name and line.startswith("        "):
            found[name] += " " + line.strip()
        elif line.strip():
            break
    return said.strip(), found


def _input_schema(function: Handler, said: Dict[str, str]) -> Dict[str, Any]:
    try:
        hints = typing.get_type_hints(function)
    except Exception:
        hints = dict(getattr(function, "__annotations__", {}))
    properties = {}  # type: Dict[str, Any]
    required = []
    others = False
    for name, each in inspect.signature(function).parameters.items():
        if name == "call" or each.kind is each.VAR_POSITIONAL:
            continue
        if each.kind is each.VAR_KEYWORD:
            others = True
            continue
        schema = _schema_of(hints.get(name))
        if name in said:
            schema["description"] = said[name]
        if each.default is each.empty:
            required.append(name)
        elif _is_json(each.default):
            schema["default"] = each.default.value if isinstance(each.default, enum.Enum) else each.default
        properties[name] = schema
    made = {"type": "object", "properties": properties, "additionalProperties": others}  # type: Dict[str, Any]
    if required:
        made["required"] = required
    return made


def _is_json(value: Any) -> bool:
    if isinstance(value, enum.Enum):
        value = value.value
    try:
        json.dumps(value, allow_nan=False)
        return value is not None
    except (TypeError, ValueError):
        return False


class _Tool:
    """A function with what is told of it."""

    def __init__(self, function: Handler, definition: Dict[str, Any], undo_step: bool) -> None:
        self.function = function
        self.definition = definition
        self.name = definition["name"]  # type: str
        self.main = definition.get("affinity") == "main"
        self.undo_step = undo_step
        self.takes_call = "call" in inspect.signature(function).parameters
        try:
            hints = typing.get_type_hints(function)
        except Exception:
            hints = {}
        self.enums = {name: _enum_of(hint) for name, hint in hints.items() if _enum_of(hint)}
        self.origin = "%s.%s" % (getattr(function, "__module__", ""), getattr(function, "__qualname__", ""))

    def run(self, args: Dict[str, Any], call: Call) -> Any:
        given = dict(args)
        for name, kind in self.enums.items():
            if given.get(name) is not None:
                given[name] = kind(given[name])  # type: ignore
        if self.takes_call:
            given["call"] = call
        return self.function(**given)


class _Work:
    """What waits for the main thread or the pool: a call and how it is run."""

    def __init__(self, call: Call, run: Callable[[Call], Any], undo: Optional[str]) -> None:
        self.call = call
        self.run = run
        self.undo = undo
        self.begun = False


class _Steps:
    """A generator that runs between other calls."""

    def __init__(self, work: _Work, generator: Any) -> None:
        self.work = work
        self.generator = generator
        self.due = 0.0
        self.question = None  # type: Optional[Question]

    def resume(self) -> None:
        """Runs it up to its next `yield`; raises `StopIteration` at its end."""
        asked, self.question = self.question, None
        if asked is None:
            given = next(self.generator)
        else:
            try:
                answer = asked.result()
            except ToolError as error:
                given = self.generator.throw(error)
            else:
                given = self.generator.send(answer)
        if isinstance(given, Question):
            self.question = given
        self.due = time.monotonic() + (float(given) if isinstance(given, (int, float)) else 0.0)


# --- The pipe ----------------------------------------------------------------------------------------------------------


class TooLong(ValueError):
    """More than a line carries."""


def _line(message: Dict[str, Any]) -> bytes:
    text = json.dumps(message, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    line = text.encode("utf-8", "backslashreplace") + b"\n"
    if len(line) > MAX_LINE:
        raise TooLong("it is %.1f MiB long, the link carries %d MiB" % (len(line) / 1048576.0, MAX_LINE // 1048576))
    return line


def _plain(what: str, value: Any) -> None:
    """Here, and not in a thread that nobody looks at, one hears of what the link cannot carry."""
    try:
        _line({"": value})
    except TooLong:
        raise
    except (TypeError, ValueError) as error:
        raise TypeError("%s is no plain data: %s" % (what, error)) from None


class _Link:
    """One companion process: what is sent to it goes in order, what replaces itself waits as its newest."""

    def __init__(self, process: Any) -> None:
        self.process = process
        #: The hello is on its way: what is told now comes after it.
        self.greeted = False
        self.ready = False
        self.closed = False
        self.works = {}  # type: Dict[str, _Work]
        self.questions = {}  # type: Dict[str, Question]
        self.last_error = ""
        self._last_number = 0
        self._lines = collections.deque()  # type: Deque[bytes]
        self._newest = collections.OrderedDict()  # type: typing.OrderedDict[str, Dict[str, Any]]
        self._change = threading.Condition()
        self._writing = False
        threading.Thread(target=self._write, name="svc_host writer", daemon=True).start()

    def send(self, message: Dict[str, Any], flush: float = 0.0) -> None:
        """Queues a message; with `flush` waits that long at most until it is in the pipe."""
        line = _line(message)
        with self._change:
            self._lines.append(line)
            self._change.notify_all()
            if flush:
                self._change.wait_for(lambda: self.closed or not (self._lines or self._writing), flush)

    def ask(self, message: Dict[str, Any], question: Question) -> Question:
        """Sends what is answered by a message of the same number."""
        with self._change:
            self._last_number += 1
            number = str(self._last_number)
            self.questions[number] = question
        self.send(dict(message, id=number))
        if self.closed:
            self.lose_questions("svc is not connected")
        return question

    def lose_questions(self, reason: str) -> None:
        for number in list(self.questions):
            question = self.questions.pop(number, None)
            if question is not None:
                question._answer({"error": {"message": reason, "code": "LOST"}})

    def progress(self, call_id: str, message: Dict[str, Any]) -> None:
        self.newest("progress " + call_id, message)

    def newest(self, key: str, message: Dict[str, Any]) -> None:
        with self._change:
            self._newest[key] = message
            self._change.notify_all()

    def settle(self, call_id: str, message: Dict[str, Any]) -> None:
        """The end of a call, after its last progress."""
        line = _line(message)
        with self._change:
            waiting = self._newest.pop("progress " + call_id, None)
            if waiting is not None:
                self._lines.append(_line(waiting))
            self._lines.append(line)
            self._change.notify_all()

    def close(self) -> None:
        with self._change:
            self.closed = True
            self._change.notify_all()

    def _write(self) -> None:
        while True:
            with self._change:
                self._writing = False
                self._change.notify_all()
                self._change.wait_for(lambda: self.closed or self._lines or self._newest)
                if self.closed and not self._lines:
                    break
                lines = list(self._lines)
                self._lines.clear()
                # What is the newest is made text now, for it may have been replaced meanwhile.
                newest = [] if lines else [self._newest.popitem(last=False)[1]]
                self._writing = True
            try:
                self.process.stdin.write(b"".join(lines + [_line(each) for each in newest]))
                self.process.stdin.flush()
            except TooLong as error:
                _log.warning("not told: %s", error)
            except (OSError, ValueError):
                self.close()
                break
        with self._change:
            self._writing = False
            self._change.notify_all()
        try:
            self.process.stdin.close()
        except (OSError, ValueError):
            pass


def _node_places() -> Iterable[str]:
    """Where Node is found although an application that was started from a desktop has another PATH than a shell."""
    home = os.path.expanduser("~")
    yield "/usr/local/bin/node"
    yield "/opt/homebrew/bin/node"
    yield os.path.join(home, ".volta", "bin", "node")
    for root in (os.path.join(home, ".nvm", "versions", "node"), os.path.join(home, ".local", "share", "fnm", "node-versions")):
        for version in sorted(os.listdir(root), reverse=True) if os.path.isdir(root) else ():
            yield os.path.join(root, version, "bin", "node")
            yield os.path.join(root, version, "installation", "bin", "node")
    for root in (os.environ.get("ProgramFiles"), os.environ.get("LOCALAPPDATA")):
        if root:
            yield os.path.join(root, "nodejs", "node.exe")
            yield os.path.join(root, "Programs", "nodejs", "node.exe")


class NotFound(RuntimeError):
    """What is missing to start the server, and how to get it."""


def _node(folder: str) -> str:
    """A Node of version 20 or newer: the one carried along, that of SVC_NODE, of the PATH, or where it usually is."""
    carried = os.path.join(folder, "node.exe" if os.name == "nt" else "node")
    if os.path.isfile(carried) and not os.access(carried, os.X_OK):
        # Applications unpack zips without the rights that stand in them.
        os.chmod(carried, 0o755)
    named = os.environ.get("SVC_NODE")
    places = [named] if named else [carried, shutil.which("node") or ""] + list(_node_places())
    seen = ""
    for place in places:
        if not place or not os.path.isfile(place):
            continue
        try:
            said = subprocess.check_output([place, "--version"], stdin=subprocess.DEVNULL, timeout=10, **_quiet())
        except (OSError, subprocess.SubprocessError):
            continue
        seen = said.decode("ascii", "replace").strip()
        number = re.match(r"v(\d+)", seen)
        if number and int(number.group(1)) >= 20:
            return place
    remedy = "install Node.js 20 or newer (https://nodejs.org), or set SVC_NODE to the path of one"
    if named:
        raise NotFound("SVC_NODE is %s, which is no Node.js of version 20 or newer: %s" % (named, remedy))
    raise NotFound(("only Node.js %s was found: %s" % (seen, remedy)) if seen else "Node.js was not found: " + remedy)


def _quiet() -> Dict[str, Any]:
    """No window on Windows; elsewhere a session of its own, so that Ctrl-C reaches the application alone."""
    if os.name == "nt":
        return {"creationflags": 0x08000000}
    return {"start_new_session": True}


def server_command() -> List[str]:
    """What starts the server: SVC_HOST_COMMAND, the server carried along or noted by the installation, that of the PATH."""
    named = os.environ.get("SVC_HOST_COMMAND")
    if named:
        return shlex.split(named, posix=os.name != "nt")
    here = os.path.dirname(os.path.abspath(__file__))
    carried = os.path.join(here, "svc_server")
    program = os.path.join(carried, "dist", "svc-server.js")
    if os.path.isfile(program):
        return [_node(carried), program]
    noted = os.path.join(here, "svc_host.json")
    gone = []  # type: List[str]
    if os.path.isfile(noted):
        with io.open(noted, encoding="utf-8") as file:
            command = json.load(file)["command"]
        gone = [each for each in command if not os.path.isfile(each)]
        if not gone:
            return command
        if gone == command[:1]:
            # That Node was removed or replaced; the server is still there.
            return [_node(here)] + command[1:]
    found = shutil.which("svc-server")
    if found:
        return [found]
    remedy = "install it (npm install --global svc), or set SVC_HOST_COMMAND to what starts it"
    if gone:
        raise NotFound("%s, which this add-on was installed with, is gone: %s" % (gone[-1], remedy))
    raise NotFound("svc-server was not found: " + remedy)


class Copy(typing.NamedTuple):
    """A copy of this module that serves: another add-on may bring its own."""

    stop: Callable[[], None]
    path: str
    #: Ends the generators that were cancelled, on the main thread.
    close: Callable[[], None]


def running_copy() -> Optional[Copy]:
    """What serves this process already, from whatever copy of this module."""
    for thread in threading.enumerate():
        if thread.name == "svc_host supervisor" and hasattr(thread, "svc_host"):
            return thread.svc_host  # type: ignore
    return None


# --- The host ----------------------------------------------------------------------------------------------------------


class Host:
    """The host of this process; the module has one, and its functions are that one's methods."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._tools = {}  # type: Dict[str, _Tool]
        self._resources = {}  # type: Dict[str, Dict[str, Any]]
        self._prompts = {}  # type: Dict[str, Dict[str, Any]]
        self._listeners = {}  # type: Dict[str, Dict[str, Any]]
        self._buffers = {}  # type: Dict[str, Callable[[Dict[str, Any]], Any]]
        self._feedback = None  # type: Optional[Dict[str, Any]]
        self._job_types = {}  # type: Dict[str, Any]
        self._providers = {}  # type: Dict[str, Callable[[], Any]]
        self._states = {}  # type: Dict[str, Any]
        self._settings = {}  # type: Dict[str, Any]
        self._link = None  # type: Optional[_Link]
        self._wanted = False
        self._stopping = threading.Event()
        self._supervisor = None  # type: Optional[threading.Thread]
        self._told = {"state": "stopped", "mcp_url": None, "instance_id": None, "reason": None}  # type: Dict[str, Any]
        self._messages = collections.deque(maxlen=_KEPT_LOG)  # type: Deque[str]
        self._resume = None  # type: Optional[Dict[str, Any]]
        self._undo_step = None  # type: Optional[Callable[[str], Any]]
        self._main = collections.deque()  # type: Deque[_Work]
        self._steps = collections.deque()  # type: Deque[_Steps]
        self._wake = threading.Event()
        self._pool = queue.Queue()  # type: queue.Queue[_Work]
        self._pool_size = 0
        self._pump_thread = None  # type: Optional[int]
        self._pumping = False
        self._last_pump = time.monotonic()
        self._last_work = 0.0
        self._running = None  # type: Optional[_Work]
        self._last_listener = 0
        self._former = None  # type: Optional[Callable[[], None]]
        self._children = set()  # type: typing.Set[int]

    # What the application calls

    def tool(
        self,
        function: Optional[Handler] = None,
        *,
        name: Optional[str] = None,
        affinity: str = "main",
        read_only: bool = False,
        destructive: bool = False,
        idempotent: bool = False,
        description: Optional[str] = None,
        input_schema: Optional[Dict[str, Any]] = None,
        output_schema: Optional[Dict[str, Any]] = None,
        title: Optional[str] = None,
        tags: Iterable[str] = (),
        category: str = "",
        group: str = "",
        execution: Optional[str] = None,
        timeout_hint_secs: Optional[float] = None,
        undo: bool = True,
        replace: bool = False
    ) -> Any:
        """Makes a function a tool: its name, schema and description come from it unless they are given.

        A generator function is a background job unless `execution="sync"`. A second function of the same name is refused,
        unless it is the same one of a module that was loaded again, or `replace=True`.
        """
        if affinity not in ("main", "any"):
            raise ValueError('affinity is "main" or "any", not %r' % (affinity,))

        def register(given: Handler) -> Handler:
            said, parameters = _doc_of(given)
            generator = inspect.isgeneratorfunction(given)
            definition = {
                "name": name or given.__name__,
                "description": said if description is None else description,
                "input_schema": input_schema or _input_schema(given, parameters),
                "annotations": {
                    "read_only_hint": read_only,
                    "destructive_hint": destructive,
                    "idempotent_hint": idempotent or read_only,
                },
                "affinity": affinity,
                "tags": list(tags),
                "category": category,
                "group": group,
            }
            others = {
                "title": title,
                "output_schema": output_schema,
                "timeout_hint_secs": timeout_hint_secs,
                "execution": execution or ("async" if generator else None),
            }
            definition.update({key: value for key, value in others.items() if value is not None})
            made = _Tool(given, definition, undo and not read_only and affinity == "main")
            with self._lock:
                before = self._tools.get(made.name)
                if before is not None and before.origin != made.origin and not replace:
                    raise ValueError(
                        'a tool named "%s" is registered already by %s: name this one otherwise, or say replace=True'
                        % (made.name, before.origin)
                    )
                self._tools[made.name] = made
                self._send({"t": "tool", "definition": definition})
            return given

        return register if function is None else register(function)

    def untool(self, name: str) -> None:
        """Takes a tool back; a call of it that runs goes on."""
        with self._lock:
            if self._tools.pop(name, None) is not None:
                self._send({"t": "untool", "name": name})

    def resource(
        self,
        scheme: str,
        read: Callable[[str], Any],
        list: Optional[Callable[[], Any]] = None,
        templates: Iterable[Dict[str, Any]] = (),
        affinity: str = "main",
        complete: Optional[Callable[[str, str, str], Iterable[str]]] = None,
    ) -> Callable[[], None]:
        """Serves resources `<scheme>://..`; returns what takes them back.

        Args:
            scheme: the part before `://`
            read: `read(uri)` returns a text, bytes, what JSON can carry, or MCP's contents; None for what is not there
            list: `list()` returns records with `uri`, `name` and so on
            templates: URI templates, each with `uriTemplate` and `name`
            affinity: "main", or "any" for functions that do not touch the application
            complete: `complete(template, variable, typed)` returns what a variable of a template may be
        """
        given = {
            "scheme": scheme,
            "templates": [dict(each) for each in templates],
            "read": read,
            "list": list,
            "affinity": affinity,
            "complete": complete,
        }
        self._keep(self._resources, scheme, given, self._resource_message(given))
        return lambda: self._forget(self._resources, scheme, given, "resource " + scheme)

    def updated(self, uri: str) -> None:
        """Tells who follows `uri` that it changed."""
        self._send({"t": "operation", "id": "", "name": "resourceUpdated", "input": {"uri": uri}})

    def list_changed(self) -> None:
        """Tells clients that the list of resources is another one."""
        self._send({"t": "operation", "id": "", "name": "resourceListChanged", "input": {}})

    def event_buffer(self, session_id: str, page: Callable[[Dict[str, Any]], Any]) -> Callable[[], None]:
        """Serves a buffer of events as `events://session/<session_id>`; returns what takes it back. `page(options)` is
        called in the pool with `cursor`, `limit` and so on."""
        message = {"t": "buffer", "session_id": session_id}
        self._keep(self._buffers, session_id, page, message)
        return lambda: self._forget(self._buffers, session_id, page, "buffer " + session_id)

    def prompt(
        self,
        name: str,
        description: str = "",
        arguments: Iterable[Dict[str, Any]] = (),
        title: Optional[str] = None,
        template: Optional[str] = None,
    ) -> Callable[[Handler], Handler]:
        """Makes a function that returns a text, or messages, a prompt; it gets the arguments by name. With a `template`
        there is no function: `svc_host.prompt("greet", arguments=[..], template="Greet {{who}}.")` is all. A function with
        a parameter `call` may ask the client: a generator, as in a tool."""
        definition = {"name": name, "description": description, "arguments": [dict(each) for each in arguments]}
        definition.update({key: each for key, each in {"title": title, "template": template}.items() if each is not None})

        def register(function: Optional[Handler]) -> Any:
            if function is not None and not description:
                definition["description"] = _doc_of(function)[0]
            given = {"definition": definition, "function": function}
            self._keep(self._prompts, name, given, self._prompt_message(given))
            return function

        if template is not None:
            register(None)
        return register

    def on(self, name: str, function: Callable[[Dict[str, Any]], Any]) -> Callable[[], None]:
        """Calls `function(event)` on the main thread for every event `name`, `family.*` or `*` of the server; returns what
        ends that."""
        return self._listen("on", name, function)

    def before(self, name: str, function: Callable[[Dict[str, Any]], Any]) -> Callable[[], None]:
        """A policy hook: what `function(event)` returns, a reason, forbids `tool.dispatched` or `skill.loading`; returns what
        ends that. It runs in the pool, for every call waits for it: it must not touch the application."""
        return self._listen("before", name, function)

    def emit(*names: Any, **attributes: Any) -> None:
        """Tells an event, of a family of your own: `emit("studio.published", shot="010")`."""
        self, name = names
        self._send({"t": "event", "name": name, "attributes": attributes})

    def register_job_type(self, job_type: str, contract: Dict[str, Any]) -> None:
        """Says how the jobs that a tool starts are polled."""
        self._keep(self._job_types, job_type, contract, self._job_type_message(job_type, contract))

    def feedback_tool(
        self,
        context: Optional[Callable[[], Dict[str, Any]]] = None,
        instance_id_provider: Optional[Callable[[], str]] = None,
        gateway_token_provider: Optional[Callable[[], Optional[str]]] = None,
        **settings: Any
    ) -> None:
        """Offers agents the tool by which they report what does not work. A server that runs takes no such tool: call it
        before `start()`. Every report asks the functions that are given anew, for 5 s at most; one that raises, or is late,
        refuses the report with the reason.

        Args:
            context: what the host is like now, such as {"host_version": "2026.2"}; on the main thread
            instance_id_provider: the id of the instance that reports; without it that of this host. On the main thread
            gateway_token_provider: the token that the gateway asks for, None for none. In the pool, so it may wait for a
                network and must not touch the application. The token goes through the pipe to the server and into the
                request, and nowhere else
            settings: dcc_name, gateway_endpoint, gateway_host, gateway_port
        """
        given = {
            "finding_context_provider": context,
            "instance_id_provider": instance_id_provider,
            "gateway_token_provider": gateway_token_provider,
        }
        for name, function in given.items():
            if function is not None and not callable(function):
                raise TypeError("%s is a function, not %s" % (name, type(function).__name__))
        _plain("a setting of the feedback tool", settings)
        self._providers = {name: function for name, function in given.items() if function is not None}
        self._feedback = settings
        self._send(self._feedback_message())

    def operation(*names: Any, timeout: float = 30.0, **given: Any) -> Any:
        """Calls an operation of the server by its name and what it takes, such as `operation("loadSkill", name="rigs")` or
        one that a plugin brings, and waits for its answer: in tools with `affinity="any"`."""
        self, name = names
        return self._operate(name, given, False).wait(timeout)

    def operation_later(*names: Any, **given: Any) -> Question:
        """The same without waiting: `answer = yield svc_host.operation_later("loadSkill", name="rigs")` in a generator."""
        self, name = names
        return self._operate(name, given, threading.get_ident() == self._pump_thread)

    def report_error(self, error: BaseException, source: str = "host") -> None:
        """Writes an error of the application into the log of the host's errors, where people look for them: for what no
        call hears of, such as in a timer. Never raises; while svc is not connected it goes to the log of Python alone."""
        said = "%s: %s" % (type(error).__name__, error)
        _log.warning("%s: %s", source, said)
        trace = "".join(traceback.format_exception(type(error), error, error.__traceback__))
        told = {"message": said, "source": source, "exception_type": type(error).__name__, "traceback": trace[-32768:]}
        try:
            self._send({"t": "operation", "id": "", "name": "reportHostError", "input": told})
        except ValueError as problem:
            _log.warning("not told: %s", problem)

    def _operate(self, name: str, given: Dict[str, Any], main: bool) -> Question:
        link = self._link
        if link is None or not link.ready:
            raise ToolError("svc is not connected (%s)" % self._told["state"], "NOT_CONNECTED", True)
        return link.ask({"t": "operation", "name": name, "input": given}, Question(None, main))

    def set_scene(self, snapshot: Json) -> None:
        """What agents read as `scene://current`; None when nothing is open. Only the newest is sent."""
        _line({"t": "state", "key": "scene", "value": snapshot})
        self._state("scene", snapshot)

    def set_documents(self, scene: Optional[str], documents: Optional[List[str]] = None, display_name: Optional[str] = None) -> None:
        """The open file, the other open documents and the name for people, as the list of instances shows them."""
        row = {"scene": scene}  # type: Dict[str, Any]
        if documents is not None:
            row["documents"] = documents
        if display_name is not None:
            row["display_name"] = display_name
        self._state("row", row)

    def set_status(self, status: Optional[str]) -> None:
        """`available` or `busy`; None leaves that to the server."""
        self._state("status", status)

    def start(
        self,
        dcc_type: str,
        dcc_version: str = "",
        background: bool = False,
        options: Optional[Dict[str, Any]] = None,
        server: Optional[List[str]] = None,
        undo_step: Optional[Callable[[str], Any]] = None,
        config: Optional[str] = None,
    ) -> None:
        """Begins to serve; returns at once.

        Args:
            dcc_type: short name of the application, such as blender
            dcc_version: its version
            background: it has no window
            options: those of the server, such as {"skill_paths": [..]}
            server: the command that starts it; without it `server_command()` looks
            undo_step: `undo_step(name)` is called on the main thread after every successful call that changed something,
                and after a job that was cancelled
            config: file of options of the server (JSON or YAML), which also names its plugins
        """
        if not re.match(r"^[A-Za-z0-9][A-Za-z0-9_.-]*$", dcc_type):
            raise ValueError("dcc_type is a short name such as blender, not %r" % (dcc_type,))
        _plain("an option of the server", options or {})
        self.stop()
        other = running_copy()
        if other is not None and other.path == __file__:
            # This module before it was loaded again: nobody pumps that one any more.
            other.stop()
            self._former = getattr(other, "close", None)
        elif other is not None:
            raise RuntimeError(
                "svc serves this application already, from %s: remove or disable one of the two add-ons" % other.path
            )
        self._settings = {
            "dcc_type": dcc_type,
            "dcc_version": dcc_version,
            "background": background,
            "options": options or {},
            "server": server,
            "config": config,
        }
        self._undo_step = undo_step
        self._stopping = threading.Event()
        self._last_pump = time.monotonic()
        self._tell(state="starting", reason=None)
        self._supervisor = threading.Thread(
            target=self._supervise, args=(self._stopping,), name="svc_host supervisor", daemon=True
        )
        self._supervisor.svc_host = Copy(self.stop, __file__, self._close_cancelled)  # type: ignore
        self._supervisor.start()

    def stop(self, timeout: float = 3.0) -> None:
        """Ends the server; calls that run are told that the host stopped. Nothing when it does not run."""
        self._stopping.set()
        link, supervisor = self._link, self._supervisor
        if link is not None and not link.closed:
            try:
                link.send({"t": "bye"}, flush=0.2)
            except ValueError:
                pass
            link.close()
        if supervisor is not None and supervisor is not threading.current_thread():
            supervisor.join(timeout)
            if supervisor.is_alive() and link is not None:
                _kill(link.process)
        self._supervisor = None
        self._drop_all("the host stopped")
        self._tell(state="stopped")

    def state(self) -> Dict[str, Any]:
        """How it goes: `state` ("starting", "connected", "lost", "refused", "stopped"), `mcp_url`, `instance_id`, `reason`,
        `running` and `waiting` calls, the newest lines of the `log`, and the `server_pid`."""
        told = dict(self._told)
        link = self._link
        told["server_pid"] = link.process.pid if link is not None and not link.closed else None
        # Who writes notices the end of a server before who reads from it does.
        if told["state"] == "connected" and told["server_pid"] is None and not self._stopping.is_set():
            told["state"] = "lost"
        told["waiting"] = len(self._main) + self._pool.qsize()
        told["running"] = len(self._steps) + (1 if self._running else 0)
        told["log"] = list(self._messages)
        return told

    def child(self, pid: int, running: bool = True) -> None:
        """Tells of a process that must not outlive this one: the server ends it when the host is gone."""
        (self._children.add if running else self._children.discard)(pid)
        self._send({"t": "child", "pid": pid, "running": running})

    def pump(self) -> float:
        """Runs what waits for the main thread, at most about 4 ms; returns in how many seconds to come again."""
        thread = threading.get_ident()
        if self._pump_thread is None:
            self._pump_thread = thread
        if thread != self._pump_thread:
            raise RuntimeError("pump() belongs to the thread that called it first, the main thread of the application")
        # A handler that lets the application draw may come back here.
        if self._pumping:
            return _TICK_IDLE
        self._pumping = True
        try:
            self._wake.clear()
            if self._former is not None:
                former, self._former = self._former, None
                former()
            end = time.monotonic() + _SLICE
            first = True
            while self._main and (first or time.monotonic() < end):
                first = False
                self._begin(self._main.popleft())
            for _ in range(len(self._steps)):
                self._step()
                if time.monotonic() >= end:
                    break
        finally:
            self._pumping = False
            self._last_pump = time.monotonic()
        if self._main or self._last_pump - self._last_work < _STAYS_BUSY:
            return _TICK_BUSY
        return _TICK_IDLE

    def run_forever(self, until: Optional[Callable[[], bool]] = None) -> None:
        """Pumps on this thread until `stop()`, or until `until()` is true: for applications without a window."""
        stopping = self._stopping
        while not stopping.is_set() and not (until and until()):
            wait = self.pump()
            self._wake.wait(wait)

    # The main thread

    def _begin(self, work: _Work) -> None:
        if not self._may_begin(work):
            return
        self._running = work
        self._last_work = time.monotonic()
        try:
            value = work.run(work.call)
            if inspect.isgenerator(value):
                self._steps.append(_Steps(work, value))
                return
            self._settle(work, value)
        except BaseException as error:
            self._fail(work, error)
            if not isinstance(error, Exception):
                raise
        finally:
            self._running = None
            self._last_work = time.monotonic()

    def _may_begin(self, work: _Work) -> bool:
        """Says that it begins; a late call and one that was cancelled never do."""
        call = work.call
        with self._lock:
            if call.cancelled:
                return False
            late = call.deadline is not None and time.time() * 1000 >= call.deadline
            work.begun = not late
        if late:
            self._end(work, {"t": "error", "id": call.id, "code": "LATE", "message": "it was not begun in time"})
            return False
        # In the pipe before the handler can hold the interpreter.
        call._link.send({"t": "begin", "id": call.id}, flush=0.02)
        return True

    def _step(self) -> None:
        steps = self._steps.popleft()
        work, now = steps.work, time.monotonic()
        if work.call.cancelled:
            self._running = work
            try:
                steps.generator.close()
            except Exception as error:
                self.report_error(error, work.call.name)
            finally:
                self._running = None
            self._make_undo(work)
            self._end(work, {"t": "error", "id": work.call.id, "code": "CANCELLED", "message": work.call.reason or ""})
            return
        if now < steps.due or (steps.question is not None and not steps.question.done):
            self._steps.append(steps)
            return
        self._running = work
        self._last_work = now
        try:
            steps.resume()
            self._steps.append(steps)
        except StopIteration as end:
            self._settle(work, end.value)
        except BaseException as error:
            self._fail(work, error)
            if not isinstance(error, Exception):
                raise
        finally:
            self._running = None

    def _settle(self, work: _Work, value: Any) -> None:
        call = work.call
        if inspect.iscoroutine(value):
            value.close()
            return self._fail(work, TypeError("a tool is a function or a generator function, not a coroutine"))
        try:
            line = {"t": "result", "id": call.id, "value": value}
            _line(line)
        except TooLong as error:
            problem = "its result cannot be sent: %s. Write it to a file and return the path" % error
            return self._end(work, {"t": "error", "id": call.id, "code": "RESULT_TOO_LARGE", "message": problem})
        except (TypeError, ValueError, RecursionError) as error:
            problem = "its result is not JSON (%s). Return plain data" % error
            return self._end(work, {"t": "error", "id": call.id, "code": "RESULT_NOT_JSON", "message": problem})
        self._make_undo(work)
        self._end(work, line)

    def _fail(self, work: _Work, error: BaseException) -> None:
        told = {"t": "error", "id": work.call.id}  # type: Dict[str, Any]
        if isinstance(error, ToolError):
            details = error.details if _is_json(error.details) else {key: str(value) for key, value in error.details.items()}
            told.update(own=True, code=error.code, message=error.message, details=details, retryable=error.retryable)
        elif isinstance(error, Cancelled):
            told.update(code="CANCELLED", message=str(error))
        else:
            frames = [each for each in traceback.extract_tb(error.__traceback__) if each.filename != __file__][-3:]
            told.update(
                code="EXCEPTION",
                message="%s: %s" % (type(error).__name__, error),
                where=["%s:%s in %s" % (os.path.basename(each.filename), each.lineno, each.name) for each in frames],
            )
            if isinstance(work.call._link, _Silent):
                self.report_error(error, work.call.name)
            else:
                # The server writes down what a caller is told.
                _log.warning('the tool "%s" failed: %s: %s', work.call.name, type(error).__name__, error)
        self._end(work, told)

    def _end(self, work: _Work, message: Dict[str, Any]) -> None:
        link = work.call._link
        link.works.pop(work.call.id, None)
        try:
            link.settle(work.call.id, message)
        except ValueError as error:
            link.settle(work.call.id, {"t": "error", "id": work.call.id, "code": "EXCEPTION", "message": str(error)[:500]})

    def _make_undo(self, work: _Work) -> None:
        if not work.undo or self._undo_step is None:
            return
        try:
            self._undo_step(work.undo)
        except Exception as error:
            self.report_error(error, "undo step")

    # The pool

    def _pool_thread(self) -> None:
        while True:
            work = self._pool.get()
            if not self._may_begin(work):
                continue
            try:
                value = work.run(work.call)
                while inspect.isgenerator(value):
                    value = self._run_through(work, value)
                self._settle(work, value)
            except Exception as error:
                self._fail(work, error)

    def _run_through(self, work: _Work, generator: Any) -> Any:
        steps = _Steps(work, generator)
        while True:
            if work.call.cancelled:
                generator.close()
                raise Cancelled(work.call.reason)
            try:
                steps.resume()
            except StopIteration as end:
                return end.value
            if steps.question is not None:
                try:
                    steps.question.wait()
                except (Cancelled, ToolError):
                    # The generator hears of it, or is closed.
                    continue
            time.sleep(max(0.0, steps.due - time.monotonic()))

    def _to_pool(self, work: _Work) -> None:
        with self._lock:
            if self._pool_size < _POOL:
                self._pool_size += 1
                threading.Thread(target=self._pool_thread, name="svc_host pool", daemon=True).start()
        self._pool.put(work)

    # The companion

    def _supervise(self, stopping: threading.Event) -> None:
        wait = _BACK_OFF[0]
        while not stopping.is_set():
            began = time.monotonic()
            try:
                reason = self._serve_once(stopping)
            except NotFound as error:
                self._tell(state="refused", reason=str(error))
                return
            except Exception as error:
                reason = "%s: %s" % (type(error).__name__, error)
            if stopping.is_set() or self._told["state"] == "refused":
                return
            if time.monotonic() - began > _BACK_OFF[1]:
                wait = _BACK_OFF[0]
            self._tell(state="lost", reason=reason)
            stopping.wait(wait)
            wait = min(wait * 2, _BACK_OFF[1])

    def _serve_once(self, stopping: threading.Event) -> str:
        """Starts a companion and serves until it ends; returns why it did."""
        command = list(self._settings["server"] or server_command()) + ["host", "--stdio"]
        if self._settings["config"]:
            command += ["--config", self._settings["config"]]
        # What is for this side means nothing to the server.
        env = {name: each for name, each in os.environ.items() if name not in _OWN_VARIABLES}
        process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=-1, env=env, **_quiet()
        )
        link = _Link(process)
        errors = threading.Thread(target=self._read_errors, args=(link,), name="svc_host errors", daemon=True)
        errors.start()
        self._link = link
        if stopping.is_set():
            link.close()
        try:
            with self._lock:
                hello = self._hello()
                try:
                    link.send(hello)
                except TooLong:
                    # A large scene has a line of its own.
                    scene = {"t": "state", "key": "scene", "value": hello["state"].pop("scene", None)}
                    link.send(hello)
                    link.newest("state scene", scene)
                link.greeted = True
            self._read(link)
        finally:
            if self._told["state"] == "connected" and not stopping.is_set():
                self._told["state"] = "lost"
            link.close()
            self._drop(link, "the server of this host was lost")
            try:
                process.wait(3 if stopping.is_set() else 1)
            except subprocess.TimeoutExpired:
                _kill(process)
                process.wait()
        errors.join(0.5)
        said = link.last_error and ": " + link.last_error
        return "svc-server ended with code %s%s" % (process.returncode, said)

    def _hello(self) -> Dict[str, Any]:
        settings = self._settings
        tools = [each.definition for each in self._tools.values()]
        return {
            "t": "hello",
            "protocol": PROTOCOL,
            "min_protocol": MIN_PROTOCOL,
            "module_version": __version__,
            "dcc_type": settings["dcc_type"],
            "dcc_version": settings["dcc_version"],
            "pid": os.getpid(),
            "python": platform.python_version(),
            "background": settings["background"],
            "options": settings["options"],
            "tools": tools,
            "state": dict(self._states),
            "early": list(self._early()),
            "resume": self._resume,
        }

    def _early(self) -> Iterable[Dict[str, Any]]:
        """What stands beside the tools before the server starts."""
        for each in self._resources.values():
            yield self._resource_message(each)
        for each in self._prompts.values():
            yield self._prompt_message(each)
        for each in self._listeners.values():
            yield {"t": each["kind"], "name": each["name"], "key": each["key"]}
        for session_id in self._buffers:
            yield {"t": "buffer", "session_id": session_id}
        for job_type, contract in self._job_types.items():
            yield self._job_type_message(job_type, contract)
        if self._feedback is not None:
            yield self._feedback_message()
        for pid in self._children:
            yield {"t": "child", "pid": pid, "running": True}

    def _read(self, link: _Link) -> None:
        stream = link.process.stdout
        while True:
            line = stream.readline(MAX_LINE + 1)
            if not line:
                return
            if len(line) > MAX_LINE and not line.endswith(b"\n"):
                while line and not line.endswith(b"\n"):
                    line = stream.readline(MAX_LINE)
                self._note("svc sent a line of more than 8 MiB, which was left out")
                continue
            try:
                message = json.loads(line.decode("utf-8"))
                kind = message["t"]
            except (ValueError, KeyError, TypeError):
                self._note("svc sent a line that is no message: %r" % line[:80])
                continue
            hear = getattr(self, "_hear_" + str(kind), None)
            if hear is not None:
                hear(link, message)

    def _read_errors(self, link: _Link) -> None:
        for line in iter(link.process.stderr.readline, b""):
            text = _readable(line.decode("utf-8", "replace").rstrip())[:2000]
            # What went well is no reason; of what did not, an error says most.
            if text.strip() and not text.startswith("svc: ") and ("rror" in text or "rror" not in link.last_error):
                link.last_error = text.strip()
            self._note(text)

    def _hear_welcome(self, link: _Link, message: Dict[str, Any]) -> None:
        self._resume = {"instance_id": message.get("instance_id"), "port": message.get("port")}
        link.ready = True
        self._tell(state="connected", reason=None, mcp_url=message.get("mcp_url"), instance_id=message.get("instance_id"))

    def _hear_refused(self, link: _Link, message: Dict[str, Any]) -> None:
        reason = "%s %s" % (message.get("reason", ""), message.get("remedy", ""))
        self._tell(state="refused", reason=reason.strip())

    def _hear_problem(self, link: _Link, message: Dict[str, Any]) -> None:
        self._note(str(message.get("message", "")))

    def _hear_ping(self, link: _Link, message: Dict[str, Any]) -> None:
        running = self._running
        lag = time.monotonic() - (self._last_pump if running is None else max(self._last_pump, self._last_work))
        link.send({
            "t": "pong",
            "n": message.get("n"),
            "main_lag_ms": int(lag * 1000),
            "tool": running.call.name if running else None,
            "running": len(link.works) - len(self._main),
            "waiting": len(self._main),
        })  # fmt: skip

    def _hear_call(self, link: _Link, message: Dict[str, Any]) -> None:
        name = message["tool"]
        tool = self._tools.get(name)
        if tool is None:
            return link.send({"t": "error", "id": message["id"], "code": "GONE", "message": "the tool was taken back"})
        args = message.get("args") or {}
        self._queue(link, message, name, tool.main, lambda call: tool.run(args, call), name if tool.undo_step else None)

    def _hear_script(self, link: _Link, message: Dict[str, Any]) -> None:
        self._queue(link, message, message["tool"], True, lambda call: _run_script(message), message["tool"])

    def _hear_read(self, link: _Link, message: Dict[str, Any]) -> None:
        given = self._resources.get(message["scheme"])
        if given is None:
            return link.send({"t": "error", "id": message["id"], "code": "GONE", "message": "the resources were taken back"})
        uri = message.get("uri")

        def run(call: Call) -> Any:
            if "variable" in message:
                return [str(each) for each in given["complete"](message["template"], message["variable"], message["value"])]
            if uri is None:
                return list(given["list"]()) if given["list"] else []
            return _contents(uri, given["read"](uri))

        self._queue(link, message, "read %s" % (uri or message["scheme"]), given["affinity"] == "main", run, None)

    def _hear_render(self, link: _Link, message: Dict[str, Any]) -> None:
        given = self._prompts.get(message["prompt"])
        if given is None:
            return link.send({"t": "error", "id": message["id"], "code": "GONE", "message": "the prompt was taken back"})
        function = given["function"]
        args = message["args"]
        asks = "call" in inspect.signature(function).parameters and "call" not in args

        def run(call: Call) -> Any:
            return function(**dict(args, call=call)) if asks else function(**args)

        self._queue(link, message, message["prompt"], True, run, None)

    def _hear_page(self, link: _Link, message: Dict[str, Any]) -> None:
        page = self._buffers.get(message["session_id"])
        if page is None:
            return link.send({"t": "error", "id": message["id"], "code": "GONE", "message": "the buffer was taken back"})
        self._queue(link, message, "page", False, lambda call: page(message["options"]), None)

    def _hear_provide(self, link: _Link, message: Dict[str, Any]) -> None:
        name = message["provider"]
        function = self._providers.get(name)
        if function is None:
            return link.send({"t": "error", "id": message["id"], "code": "GONE", "message": "the function was taken back"})
        self._queue(link, message, name, name != "gateway_token_provider", lambda call: function(), None)

    def _hear_event(self, link: _Link, message: Dict[str, Any]) -> None:
        """A subscriber's (no id) or a hook's (with one, which is answered)."""
        given = self._listeners.get(message["key"])
        function = given["function"] if given else lambda event: None
        name = "event %s" % message["event"].get("name")
        if "id" in message:
            return self._queue(link, message, name, False, lambda call: function(message["event"]), None)
        if len(self._main) < 10000:
            self._enqueue(_Work(Call(_Silent(), {"id": ""}, name), lambda call: function(message["event"]) and None, None))

    def _hear_cancel(self, link: _Link, message: Dict[str, Any]) -> None:
        work = link.works.get(message["id"])
        if work is None:
            return
        with self._lock:
            work.call._cancel(str(message.get("reason") or "cancelled"))
            begun = work.begun
        if begun:
            return
        try:
            self._main.remove(work)
        except ValueError:
            pass
        self._end(work, {"t": "error", "id": work.call.id, "code": "NOT_BEGUN", "message": "it was cancelled before it began"})

    def _hear_answer(self, link: _Link, message: Dict[str, Any]) -> None:
        question = link.questions.pop(message.get("id", ""), None)
        if question is not None:
            question._answer(message)
        elif "error" in message:
            self._note(message["error"].get("message", ""))

    def _queue(self, link: _Link, message: Dict[str, Any], name: str, main: bool, run: Callable[[Call], Any], undo: Optional[str]) -> None:
        work = _Work(Call(link, message, name, main), run, undo)
        link.works[message["id"]] = work
        if main:
            self._enqueue(work)
        else:
            self._to_pool(work)

    def _enqueue(self, work: _Work) -> None:
        self._main.append(work)
        self._wake.set()

    # What is lost, and what is told

    def _drop(self, link: _Link, reason: str) -> None:
        """Calls of a companion that is gone: those that wait never begin, those that run are cancelled."""
        for work in list(link.works.values()):
            work.call._cancel(reason)
        for work in list(self._main):
            if work.call._link is link:
                try:
                    self._main.remove(work)
                except ValueError:
                    pass
        link.lose_questions(reason)

    def _drop_all(self, reason: str) -> None:
        link = self._link
        if link is not None:
            self._drop(link, reason)
        if threading.get_ident() == self._pump_thread and not self._pumping:
            self._close_cancelled()

    def _close_cancelled(self) -> None:
        for _ in range(len(self._steps)):
            if self._steps[0].work.call.cancelled:
                self._step()

    def _listen(self, kind: str, name: str, function: Callable[[Dict[str, Any]], Any]) -> Callable[[], None]:
        with self._lock:
            self._last_listener += 1
            key = "%s %s %d" % (kind, name, self._last_listener)
        given = {"kind": kind, "name": name, "function": function, "key": key}
        self._keep(self._listeners, key, given, {"t": kind, "name": name, "key": key})
        return lambda: self._forget(self._listeners, key, given, key)

    def _keep(self, kept: Dict[str, Any], key: str, given: Any, message: Dict[str, Any]) -> None:
        """For the companion that is there, and for those that follow."""
        with self._lock:
            kept[key] = given
            self._send(message)

    def _forget(self, kept: Dict[str, Any], key: str, given: Any, name: str) -> None:
        """Unless another one stands there by now."""
        with self._lock:
            if kept.get(key) is given:
                del kept[key]
                self._send({"t": "forget", "key": name})

    def _prompt_message(self, given: Dict[str, Any]) -> Dict[str, Any]:
        return {"t": "prompt", "definition": given["definition"], "rendered": given["function"] is not None}

    def _feedback_message(self) -> Dict[str, Any]:
        return {"t": "feedback", "settings": self._feedback, "providers": list(self._providers)}

    def _job_type_message(self, job_type: str, contract: Dict[str, Any]) -> Dict[str, Any]:
        return {"t": "operation", "id": "", "name": "registerJobType", "input": {"job_type": job_type, "contract": contract}}

    def _resource_message(self, given: Dict[str, Any]) -> Dict[str, Any]:
        return {
            "t": "resource",
            "scheme": given["scheme"],
            "templates": given["templates"],
            "affinity": given["affinity"],
            "completes": given["complete"] is not None,
        }

    def _state(self, key: str, value: Any) -> None:
        self._states[key] = value
        link = self._link
        if link is not None and not link.closed:
            link.newest("state " + key, {"t": "state", "key": key, "value": value})

    def _send(self, message: Dict[str, Any]) -> None:
        """To the companion that is there; the next one hears of it at its start."""
        link = self._link
        if link is not None and link.greeted and not link.closed:
            link.send(message)

    def _tell(self, **changes: Any) -> None:
        self._told.update(changes)
        reason = self._told["reason"]
        self._note("svc: %s%s" % (self._told["state"], ": %s" % reason if reason else ""))

    def _note(self, line: str) -> None:
        if line:
            self._messages.append(line)
            _log.info(line)


class _Silent(_Link):
    """Stands for a link where nobody waits for an answer."""

    def __init__(self) -> None:
        self.works = {}

    def send(self, message: Dict[str, Any], flush: float = 0.0) -> None:
        pass

    def settle(self, call_id: str, message: Dict[str, Any]) -> None:
        pass

    def newest(self, key: str, message: Dict[str, Any]) -> None:
        pass

    def ask(self, message: Dict[str, Any], question: Question) -> Question:
        question._answer({"error": {"message": "an event has no client that could be asked", "code": "LOST"}})
        return question


def _kill(process: Any) -> None:
    try:
        process.kill()
    except OSError:
        pass


def _readable(line: str) -> str:
    """A line of the server's log, which is JSON, as people read it."""
    try:
        told = json.loads(line)
        return "%s: %s" % ({40: "warning", 50: "error", 60: "error"}.get(told.get("level"), "svc"), told["msg"])
    except (ValueError, KeyError, TypeError, AttributeError):
        return line


def _contents(uri: str, value: Any) -> List[Dict[str, Any]]:
    """MCP's contents of what a producer returned; none for None."""
    if value is None:
        return []
    if isinstance(value, (bytes, bytearray)):
        return [{"uri": uri, "mimeType": "application/octet-stream", "blob": base64.b64encode(value).decode("ascii")}]
    if isinstance(value, str):
        return [{"uri": uri, "mimeType": "text/plain", "text": value}]
    if isinstance(value, list) and all(isinstance(each, dict) and "uri" in each for each in value):
        return value
    return [{"uri": uri, "mimeType": "application/json", "text": json.dumps(value, ensure_ascii=False, allow_nan=False)}]


def image(path: str) -> Dict[str, Any]:
    """The content block of a picture file, to return as {"content": [svc_host.image(path)]}."""
    kinds = {".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".webp": "image/webp", ".gif": "image/gif"}
    kind = kinds.get(os.path.splitext(path)[1].lower())
    if kind is None:
        raise ToolError("%s is no picture that a client can show: use PNG, JPEG, WebP or GIF" % os.path.basename(path), "NO_PICTURE")
    with io.open(path, "rb") as file:
        return {"type": "image", "mimeType": kind, "data": base64.b64encode(file.read()).decode("ascii")}


def whole_path(path: str) -> str:
    """A path that means the same to every program, with `~` written out; raises `ToolError` for one that is not whole."""
    whole = os.path.expanduser(path)
    if not os.path.isabs(whole):
        raise ToolError('"%s" is not a whole path: begin it with a folder or with ~' % path, "BAD_PATH", path=path)
    return os.path.normpath(whole)


def path_to_write(path: str) -> str:
    """The same of a file that is to be written, in a folder that is there then."""
    whole = whole_path(path)
    if os.path.isdir(whole) or path.endswith(("/", os.sep)):
        raise ToolError('"%s" is a folder: name a file in it' % path, "BAD_PATH", path=path)
    try:
        os.makedirs(os.path.dirname(whole), exist_ok=True)
    except OSError as error:
        raise ToolError("The folder of %s cannot be made: %s" % (whole, error.strerror), "BAD_PATH", path=whole)
    return whole


# --- Scripts of skills -------------------------------------------------------------------------------------------------


def _run_script(message: Dict[str, Any]) -> Any:
    """Runs a script of a loaded skill in this process as it would run in one of its own."""
    path, helpers = message["file"], message["helpers"]
    with io.open(path, "rb") as file:
        if hashlib.sha256(file.read()).hexdigest() != message["digest"]:
            raise ToolError("The script %s changed while it was called: call again" % os.path.basename(path), "CHANGED", True)
    runner = runpy.run_path(os.path.join(helpers, "svc_run.py"), run_name="svc_run")
    before = sys.path[:], sys.argv[:], sys.stdin, sys.stdout
    printed = io.StringIO()
    args = message.get("args") or {}
    sys.path[:0] = [os.path.dirname(path), helpers]
    sys.argv[:] = [path] + list(message.get("flags") or [])
    sys.stdin, sys.stdout = io.StringIO(json.dumps(args)), printed
    try:
        with io.open(path, encoding="utf-8-sig", errors="replace") as script:
            source = script.read()
        if runner["_starts_itself"](source) or "__main__" in source:
            result = None
            try:
                runpy.run_path(path, run_name="__main__")
            except SystemExit as end:
                if end.code not in (None, 0) and not printed.getvalue().strip():
                    raise ToolError("The script %s ended with %s" % (os.path.basename(path), end.code), "SCRIPT_FAILED")
        else:
            result = runner["_result"](path, args)
    finally:
        sys.path[:], sys.argv[:], sys.stdin, sys.stdout = before
    if result is not None:
        return json.loads(json.dumps(result, default=str))
    text = printed.getvalue().strip()
    try:
        return json.loads(text)
    except ValueError:
        return {"success": True, "message": text}


_default = Host()
tool = _default.tool
untool = _default.untool
resource = _default.resource
updated = _default.updated
prompt = _default.prompt
on = _default.on
before = _default.before
emit = _default.emit
register_job_type = _default.register_job_type
feedback_tool = _default.feedback_tool
operation = _default.operation
operation_later = _default.operation_later
report_error = _default.report_error
list_changed = _default.list_changed
event_buffer = _default.event_buffer
set_scene = _default.set_scene
set_documents = _default.set_documents
set_status = _default.set_status
start = _default.start
stop = _default.stop
state = _default.state
child = _default.child
pump = _default.pump
run_forever = _default.run_forever

atexit.register(stop)

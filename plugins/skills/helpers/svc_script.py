"""Talks to the svc server that runs this script: progress, log, partial output, cancellation.

Needs no installation: the server puts it on the path of every Python script of a skill. Standard library, Python 3.7.
Run by hand, without a server, it works too: progress and log go to standard error, and nothing ever cancels.

    import svc_script

    args = svc_script.arguments()
    for n, frame in enumerate(args["frames"]):
        if svc_script.cancelled():
            svc_script.fail("cancelled after %d frames" % n)
        svc_script.progress(n, len(args["frames"]), "frame %s" % frame)
    svc_script.succeed("rendered", frames=len(args["frames"]))
"""
import json
import os
import sys
import threading

__all__ = ["Refused", "arguments", "ask", "cancelled", "elicit", "fail", "log", "on_cancel", "partial", "progress", "succeed"]

_fd = int(os.environ.get("SVC_CHANNEL_FD") or -1)
_lock = threading.Lock()
_cancelled = threading.Event()
_callbacks = []
_listener = None
_cancellable = False
_arguments = None
_answers = {}
_answered = threading.Condition()
_asked = 0


class Refused(Exception):
    """The client cannot be asked, or answered with an error; `code` says which."""

    def __init__(self, code, message):
        super().__init__(message)
        self.code = code


def arguments():
    """The arguments of the call, as a dict."""
    global _arguments
    if _arguments is None:
        text = "" if sys.stdin.isatty() else sys.stdin.read()
        _arguments = json.loads(text) if text.strip() else {}
    return _arguments


def progress(current, total=None, message=None):
    """Tells the caller how far the work is; `current` must grow."""
    _send({"type": "progress", "progress": current, "total": total, "message": message})


def log(level, data):
    """Tells the caller something; `level` is debug, info, notice, warning or error, `data` anything JSON can carry."""
    _send({"type": "log", "level": level, "data": data})


def partial(value):
    """Tells what there is so far; it is part of the error when the script fails later."""
    _send({"type": "partial", "value": value})


def cancelled():
    """Whether the caller cancelled. Once asked, the server gives the script time to end by itself."""
    _heed()
    return _cancelled.is_set()


def on_cancel(callback):
    """Calls `callback()` on another thread when the caller cancels."""
    _callbacks.append(callback)
    _heed()


def ask(method, params):
    """Asks the client (elicitation/create, sampling/createMessage, roots/list) and waits for its result, a dict."""
    global _asked
    if _fd < 0:
        raise Refused("SVC_NO_CHANNEL", "there is no server to ask the client through")
    _listen()
    with _answered:
        _asked += 1
        number = _asked
    _send({"type": "ask", "id": number, "method": method, "params": params})
    with _answered:
        _answered.wait_for(lambda: number in _answers)
        answer = _answers.pop(number)
    if answer.get("error"):
        raise Refused(answer["error"].get("code"), answer["error"].get("message"))
    return answer.get("result")


def elicit(message, schema):
    """Asks the user; the result has "action" (accept, decline, cancel) and, when accepted, "content"."""
    return ask("elicitation/create", {"message": message, "requestedSchema": schema})


def succeed(message="", **context):
    """Prints the result of the script: a success."""
    _print({"success": True, "message": message, "context": context})


def fail(message, error=None, **context):
    """Prints the result of the script, a failure, and ends it."""
    _print({"success": False, "message": message, "error": error, "context": context})
    sys.exit(1)


def _print(value):
    sys.stdout.write(json.dumps(value) + "\n")
    sys.stdout.flush()


def _send(message):
    line = json.dumps({key: value for key, value in message.items() if value is not None})
    if _fd < 0:
        sys.stderr.write(line + "\n")
        return
    data = (line + "\n").encode("utf-8")
    with _lock:
        while data:
            try:
                data = data[os.write(_fd, data):]
            except OSError:
                return


def _heed():
    global _cancellable
    if _fd < 0 or _cancellable:
        return
    _cancellable = True
    _listen()
    _send({"type": "cancellable"})


def _listen():
    global _listener
    if _listener is None:
        _listener = threading.Thread(target=_read, daemon=True)
        _listener.start()


def _read():
    pending = b""
    while True:
        try:
            chunk = os.read(_fd, 65536)
        except OSError:
            chunk = b""
        if not chunk:
            return
        pending += chunk
        while b"\n" in pending:
            line, pending = pending.split(b"\n", 1)
            _hear(json.loads(line.decode("utf-8")))


def _hear(told):
    if told.get("type") == "cancel":
        _cancelled.set()
        for callback in list(_callbacks):
            callback()
    elif told.get("type") == "answer":
        with _answered:
            _answers[told.get("id")] = told
            _answered.notify_all()

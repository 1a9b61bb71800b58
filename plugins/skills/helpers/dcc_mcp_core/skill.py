"""Results of skill scripts, and how a script runs as one."""
import functools
import json
import sys
import traceback

__all__ = [
    "error_result",
    "from_exception",
    "get_bundled_skill_paths",
    "run_main",
    "skill_entry",
    "skill_error",
    "skill_error_with_trace",
    "skill_exception",
    "skill_success",
    "skill_warning",
    "success_result",
]

_RETRY = "Check the error details and try again."
_LONGEST_CALL = 500


def _envelope(success, message, prompt, error, context):
    return {"success": success, "message": message, "prompt": prompt, "error": error, "context": context}


def skill_success(message, *, prompt=None, **context):
    """A success; `context` holds what the caller needs of it."""
    return _envelope(True, message, prompt, None, context)


def skill_warning(message, *, warning="", prompt=None, **context):
    """A success that the caller should not take for a smooth one."""
    return _envelope(True, message, prompt, None, dict(context, warning=warning))


def skill_error(message, error=None, *, prompt=None, possible_solutions=None, **context):
    """A failure: `message` for the reader, `error` for the technician."""
    if possible_solutions:
        context.setdefault("possible_solutions", possible_solutions)
    return _envelope(False, message, prompt or _RETRY, error, context)


def skill_error_with_trace(
    message, error=None, *, underlying_call=None, recipe_hint=None, introspect_hint=None, tb=None, **more
):
    """A failure that says which call of the host failed, and where to read about it."""
    result = skill_error(message, error, **more)
    trace = {
        "underlying_call": underlying_call and underlying_call[:_LONGEST_CALL],
        "traceback": tb,
        "recipe_hint": recipe_hint,
        "introspect_hint": introspect_hint,
    }
    trace = {key: value for key, value in trace.items() if value}
    if trace:
        result["_meta"] = {"dcc.raw_trace": trace}
    return result


def skill_exception(exc, *, message=None, prompt=None, include_traceback=True, possible_solutions=None, **context):
    """A failure made of an exception."""
    context["error_type"] = type(exc).__name__
    if include_traceback:
        context["traceback"] = "".join(traceback.format_exception(type(exc), exc, exc.__traceback__))
    return skill_error(
        message or "Error: %s" % exc, repr(exc), prompt=prompt, possible_solutions=possible_solutions, **context
    )


def skill_entry(func):
    """Makes a failure of whatever `func` raises."""

    @functools.wraps(func)
    def entry(*args, **kwargs):
        try:
            return func(*args, **kwargs)
        except ImportError as exc:
            name = exc.name or str(exc)
            python = sys.executable or "this Python"
            hint = "Run the skill where the module is, or install it for %s." % python
            return skill_error("The Python module %s is not available" % name, repr(exc), prompt=hint)
        except Exception as exc:
            return skill_exception(exc)
        except BaseException as exc:
            return skill_error("The script was interrupted", repr(exc), prompt="Try again if it is still needed.")

    entry._is_skill_entry = True
    return entry


def run_main(main_fn, argv=None):
    """Calls `main_fn` with the arguments of the call, prints its result and ends the script."""
    try:
        result = main_fn(**_arguments())
    except Exception as exc:
        result = skill_exception(exc)
    sys.stdout.write(_dumps(result) + "\n")
    sys.stdout.flush()
    sys.exit(0 if not isinstance(result, dict) or result.get("success", False) else 1)


def get_bundled_skill_paths(include_bundled=True):
    """The bundled skills are the server's."""
    return []


class _Result(dict):
    """An envelope whose keys are attributes too."""

    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name)

    def to_dict(self):
        return dict(self)

    def to_json(self):
        return _dumps(self)


def success_result(message, prompt=None, **context):
    return _Result(skill_success(message, prompt=prompt, **context))


def error_result(message, error=None, prompt=None, possible_solutions=None, **context):
    return _Result(skill_error(message, error, prompt=prompt, possible_solutions=possible_solutions, **context))


def from_exception(exc, message=None, prompt=None, include_traceback=True, possible_solutions=None, **context):
    if not isinstance(exc, BaseException):
        exc = RuntimeError(exc)
    more = {"include_traceback": include_traceback, "possible_solutions": possible_solutions}
    return _Result(skill_exception(exc, message=message, prompt=prompt, **dict(context, **more)))


def _arguments():
    text = "" if sys.stdin.isatty() else sys.stdin.read()
    arguments = json.loads(text) if text.strip() else {}
    if not isinstance(arguments, dict):
        raise TypeError("the arguments of a skill are a JSON object")
    return arguments


def _dumps(result):
    return json.dumps(result, ensure_ascii=False, default=str)

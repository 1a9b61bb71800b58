"""Runs a Python script of a skill that leaves its start to the server: it defines `main`, or a function under
`skill_entry`, and never calls it. It is called with the arguments of the call, and what it returns is printed. Such a
script may import its neighbours relatively, and may look for `__mcp_params__` among its globals to leave
`__mcp_result__` there. Standard library, Python 3.7.
"""
import ast
import asyncio
import contextlib
import importlib.machinery
import importlib.util
import inspect
import io
import json
import os
import runpy
import sys
import traceback

_PACKAGE = "svc_skill_scripts"


def _starts_itself(source):
    """Whether the module calls, or passes on, what it defines as its entry."""
    if "__mcp_params__" in source:
        return False
    body = ast.parse(source).body
    definitions = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    names = {"main"}
    names.update(each.name for each in body if isinstance(each, definitions) and any(map(_marks, each.decorator_list)))
    for statement in body:
        if isinstance(statement, definitions) or _is_main_part(statement):
            continue
        for node in ast.walk(statement):
            # `main = checked(main)` only gives it another value.
            used = node.func if isinstance(node, ast.Call) else node
            if isinstance(statement, ast.Assign) and used is node:
                continue
            if isinstance(used, ast.Name) and isinstance(used.ctx, ast.Load) and used.id in names:
                return True
    return False


def _is_main_part(statement):
    return isinstance(statement, ast.If) and any(getattr(each, "id", "") == "__name__" for each in ast.walk(statement.test))


def _marks(decorator):
    return getattr(decorator, "id", getattr(decorator, "attr", None)) == "skill_entry"


def _entry(module):
    main = getattr(module, "main", None)
    if callable(main):
        return main
    marked = [each for each in vars(module).values() if callable(each) and getattr(each, "_is_skill_entry", False)]
    return marked[-1] if marked else None


def _call(entry, arguments):
    """`entry(**arguments)`; a function of one parameter that knows none of the names gets all of them in it."""
    parameters = inspect.signature(entry).parameters.values()
    takes_all = any(each.kind is each.VAR_KEYWORD for each in parameters)
    if len(parameters) == 1 and not takes_all and not set(arguments) <= {each.name for each in parameters}:
        return entry(arguments)
    return entry(**arguments)


def _module(path):
    """The script as a module of a package that its folder is."""
    package = importlib.machinery.ModuleSpec(_PACKAGE, None, is_package=True)
    package.submodule_search_locations = [os.path.dirname(path)]
    sys.modules[_PACKAGE] = importlib.util.module_from_spec(package)
    name = _PACKAGE + ".script"
    spec = importlib.util.spec_from_file_location(name, path, loader=importlib.machinery.SourceFileLoader(name, path))
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    return module


def _result(path, arguments):
    module = _module(path)
    module.__mcp_params__ = arguments
    try:
        module.__loader__.exec_module(module)
        if hasattr(module, "__mcp_result__"):
            return module.__mcp_result__
        entry = _entry(module)
        result = None if entry is None else _call(entry, arguments)
        return asyncio.run(result) if inspect.iscoroutine(result) else result
    except SystemExit as end:
        if hasattr(module, "__mcp_result__"):
            return module.__mcp_result__
        if end.code not in (None, 0):
            raise
        return None
    except Exception as error:
        context = {"error_type": type(error).__name__, "traceback": traceback.format_exc()}
        return {"success": False, "message": "Error: %s" % error, "error": repr(error), "context": context}


def main():
    helpers = os.path.dirname(os.path.abspath(__file__))
    del sys.argv[0]
    path = os.path.abspath(sys.argv[0])
    if sys.path and os.path.abspath(sys.path[0]) == helpers:
        del sys.path[0]
    sys.path.insert(0, os.path.dirname(path))
    with io.open(path, encoding="utf-8-sig", errors="replace") as script:
        source = script.read()
    if _starts_itself(source):
        runpy.run_path(path, run_name="__main__")
        return
    text = "" if sys.stdin.isatty() else sys.stdin.read()
    printed = io.StringIO()
    try:
        with contextlib.redirect_stdout(printed):
            result = _result(path, json.loads(text) if text.strip() else {})
    finally:
        # Beside a result it is only the script's talk.
        done = "result" in locals() and result is not None
        (sys.stderr if done else sys.stdout).write(printed.getvalue())
    if result is not None:
        sys.stdout.write(json.dumps(result, ensure_ascii=False, default=str) + "\n")
    sys.exit(1 if isinstance(result, dict) and result.get("success") is False else 0)


if __name__ == "__main__":
    main()

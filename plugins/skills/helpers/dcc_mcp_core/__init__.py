"""Stands in for dcc_mcp_core in scripts of skills where that is not installed, so that published packages run unchanged.

Holds what such scripts import: results, `skill_entry`, `run_main`, cancellation, files, JSON and HTTP. An installed
dcc_mcp_core is used instead, always. Standard library, Python 3.7.
"""
import importlib
import importlib.machinery
import importlib.util
import os
import sys


def _installed():
    """Where the real package is; None when there is none."""
    here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    elsewhere = [each for each in sys.path if os.path.abspath(each or os.curdir) != here]
    for finder in sys.meta_path:
        find = getattr(finder, "find_spec", None)
        path = elsewhere if finder is importlib.machinery.PathFinder else None
        spec = find(__name__, path) if find else None
        if spec is not None and spec.origin and os.path.abspath(spec.origin) != os.path.abspath(__file__):
            return spec
    return None


def _missing(name):
    return "svc brings only the part of dcc_mcp_core that scripts need, without %s: run '%s -m pip install dcc-mcp-core'" % (
        name,
        sys.executable or "python",
    )


class _Absent:
    """Says of a module that is not part of this one what to do."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        if name.startswith(__name__ + "."):
            raise ModuleNotFoundError(_missing(name), name=name)
        return None


_spec = _installed()
if _spec is not None:
    _module = importlib.util.module_from_spec(_spec)
    sys.modules[__name__] = _module
    _spec.loader.exec_module(_module)
else:
    sys.meta_path.append(_Absent)
    # Only what needs little of the standard library: a script may be called inspect.py, and lies first on the path.
    from .cancellation import *  # noqa: F403
    from .skill import *  # noqa: F403

    def __getattr__(name):
        if name.startswith("__"):
            raise AttributeError(name)
        if name == "asset_import" or name.startswith("Asset"):
            part = importlib.import_module(".asset_import", __name__)
        else:
            part = importlib.import_module(".skills_helper", __name__)
        if part.__name__ == __name__ + "." + name:
            return part
        if name in part.__all__:
            return getattr(part, name)
        raise ImportError(_missing("dcc_mcp_core." + name))

"""svc in FreeCAD: its documents and shapes as tools for agents.

With a window it works by itself. Without one: `freecadcmd -c "import svc_freecad; svc_freecad.serve()"`.
"""
import json
import os

import FreeCAD

from . import svc_host
from . import tools

_timer = None


def _start(background):
    version = ".".join(FreeCAD.Version()[:2])
    options = json.loads(os.environ.get("SVC_HOST_OPTIONS", "{}"))
    FreeCAD.addDocumentObserver(tools.observer)
    tools.observer.changed = True
    svc_host.start(dcc_type="freecad", dcc_version=version, background=background, options=options)


def start_in_window():
    """Serves from a timer of the window."""
    global _timer
    try:
        from PySide import QtCore
    except ImportError:
        from PySide2 import QtCore
    _start(False)
    _timer = QtCore.QTimer()
    _timer.setSingleShot(True)

    def pump():
        wait = 0.5
        try:
            wait = svc_host.pump()
            tools.tell_scene()
        except Exception as error:
            FreeCAD.Console.PrintError("svc: %s\n" % error)
            svc_host.report_error(error, "timer")
        finally:
            _timer.start(int(wait * 1000))

    _timer.timeout.connect(pump)
    _timer.start(100)


def serve():
    """Serves on this thread until the host is stopped."""
    _start(True)
    try:
        svc_host.run_forever(until=tools.tell_scene)
    finally:
        svc_host.stop()

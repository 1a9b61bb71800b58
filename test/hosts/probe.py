"""What the bench looks at from inside of Blender: how evenly its timers come, and a tool that holds the interpreter."""
import sys
import time

import bpy
import svc_blender

svc_host = svc_blender.svc_host
gaps = []
_last = None


def _tick():
    global _last
    now = time.perf_counter()
    if _last is not None:
        gaps.append((now - _last) * 1000)
    _last = now
    return 0.0


@svc_host.tool(affinity="any", undo=False)
def timer_gaps() -> list:
    """The milliseconds between the timers of Blender since it was asked last."""
    found = gaps[:]
    del gaps[:]
    return found


@svc_host.tool(affinity="any", undo=False)
def watch_timers(on: bool) -> None:
    """Times the timers of Blender from now on, or no more."""
    global _last
    if bpy.app.timers.is_registered(_tick):
        bpy.app.timers.unregister(_tick)
    if on:
        _last = None
        del gaps[:]
        bpy.app.timers.register(_tick)


@svc_host.tool(affinity="any", undo=False)
def hold_interpreter(seconds: float) -> None:
    """Lets no other Python run meanwhile."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(seconds)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        sum(range(1000000))
    sys.setswitchinterval(before)

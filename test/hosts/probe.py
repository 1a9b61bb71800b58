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


slices = []
_work = svc_blender.scene.work


def _timed_work():
    began = time.perf_counter()
    try:
        return _work()
    finally:
        slices.append((time.perf_counter() - began) * 1000)


svc_blender.scene.work = _timed_work


@svc_host.tool(affinity="any", undo=False)
def snapshot_slices() -> list:
    """The milliseconds of each turn that the snapshot of the scene took since it was asked last."""
    found = slices[:]
    del slices[:]
    return found


@svc_host.tool(undo=False)
def fill(count: int) -> int:
    """Fills the scene."""
    collection = bpy.context.scene.collection
    for at in range(count):
        collection.objects.link(bpy.data.objects.new("Filled %d" % at, None))
    del slices[:]
    return len(bpy.context.scene.objects)


class SVC_OT_probe_modal(bpy.types.Operator):
    """Stands for a tool in the artist's hand."""

    bl_idname = "svc.probe_modal"
    bl_label = "Modal"
    on = False

    def modal(self, context, event):
        if SVC_OT_probe_modal.on:
            return {"RUNNING_MODAL"}
        return {"FINISHED"}

    def invoke(self, context, event):
        SVC_OT_probe_modal.on = True
        context.window_manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}


bpy.utils.register_class(SVC_OT_probe_modal)


@svc_host.tool(undo=False)
def modal(on: bool) -> list:
    """Takes a modal operator into the hand, or puts it down."""
    SVC_OT_probe_modal.on = on
    if on:
        with svc_blender.tools.in_window():
            return list(bpy.ops.svc.probe_modal("INVOKE_DEFAULT"))
    return []


@svc_host.tool(undo=False)
def undo() -> list:
    """What the artist's Ctrl-Z does."""
    with svc_blender.tools.in_window():
        return list(bpy.ops.ed.undo())


@svc_host.tool(undo=False)
def turn_mode(name: str, mode: str) -> None:
    """How an object keeps its rotation."""
    bpy.data.objects[name].rotation_mode = mode


def _later(work):
    """After the answer is on its way: what serves ends meanwhile."""
    bpy.app.timers.register(work, first_interval=0.3)


@svc_host.tool(undo=False)
def reload_addon(how: str) -> None:
    """Disables and enables the add-on, or has Blender load all scripts again."""

    def off():
        if how == "scripts":
            bpy.ops.script.reload()
            return None
        bpy.ops.preferences.addon_disable(module="svc_blender")
        _later(lambda: bpy.ops.preferences.addon_enable(module="svc_blender") and None)
        return None

    _later(off)


@svc_host.tool(undo=False)
def enable_copy(module: str) -> str:
    """Enables a second copy of the add-on; what Blender says to that."""
    import addon_utils

    said = []
    addon_utils.enable(module, handle_error=lambda error: said.append(str(error)))
    return "; ".join(said) or "enabled"

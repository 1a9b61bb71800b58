"""svc in Blender: its objects, materials, cameras, lights, files and renders as tools for agents.

As an extension (4.2 and newer) or a legacy add-on (2.93 and newer). With a window it works by itself. In the background:
`blender --background [file] --addons svc_blender --python-expr "import svc_blender; svc_blender.serve()"`.
"""
import json
import os
import time

import bpy
from bpy.app.handlers import persistent

from . import svc_host
from . import render, scene, tools  # noqa: F401  (they register what they bring)

bl_info = {
    "name": "svc",
    "author": "svc",
    "version": (0, 1, 0),
    "blender": (2, 93, 0),
    "location": "3D Viewport > Sidebar > svc",
    "description": "Agents use this Blender over MCP",
    "category": "System",
}

# A Blender that renders for another one is no host.
_is_child = bool(os.environ.get("SVC_RENDER_CHILD"))


def _start():
    options = json.loads(os.environ.get("SVC_HOST_OPTIONS", "{}"))
    svc_host.start(
        dcc_type="blender",
        dcc_version=bpy.app.version_string,
        background=bpy.app.background,
        options=options,
        undo_step=None if bpy.app.background else tools.undo_step,
    )
    scene.changed()


def _pump():
    """The timer: it must never raise, or Blender would drop it without a word."""
    try:
        wait = svc_host.pump()
        scene.work()
        _show()
        return wait
    except Exception as error:
        svc_host.report_error(error, "timer")
        return 0.5


_shown = None
_next_look = 0.0


def _show():
    """Draws the panel again when what it shows of the server is another; Blender itself does not look."""
    global _shown, _next_look
    now = time.monotonic()
    if now < _next_look:
        return
    _next_look = now + 0.5
    told = svc_host.state()
    shown = told["state"], told["reason"], told["mcp_url"]
    if shown == _shown:
        return
    _shown = shown
    for window in bpy.context.window_manager.windows:
        for area in window.screen.areas:
            if area.type == "VIEW_3D":
                for region in area.regions:
                    if region.type == "UI":
                        region.tag_redraw()


def serve():
    """Serves on this thread until the host is stopped: for a Blender without a window, whose timers never fire."""
    try:
        svc_host.run_forever(until=scene.work)
    finally:
        svc_host.stop()


@persistent
def _loaded(*_):
    if not bpy.app.background and not bpy.app.timers.is_registered(_pump):
        bpy.app.timers.register(_pump, persistent=True)
    scene.changed()


@persistent
def _changed(*_):
    scene.changed()


class SVC_OT_toggle(bpy.types.Operator):
    bl_idname = "svc.toggle"
    bl_label = "Start or stop"
    bl_description = "Start or stop serving agents"

    def execute(self, context):
        if svc_host.state()["state"] == "stopped":
            _start()
        else:
            svc_host.stop()
        return {"FINISHED"}


class SVC_OT_copy(bpy.types.Operator):
    bl_idname = "svc.copy_settings"
    bl_label = "Copy client settings"
    bl_description = "Copy what an MCP client needs to connect"

    def execute(self, context):
        url = svc_host.state()["mcp_url"]
        if not url:
            self.report({"ERROR"}, "svc is not connected")
            return {"CANCELLED"}
        context.window_manager.clipboard = json.dumps({"mcpServers": {"blender": {"type": "http", "url": url}}}, indent=2)
        self.report({"INFO"}, "Copied")
        return {"FINISHED"}


class SVC_OT_log(bpy.types.Operator):
    bl_idname = "svc.show_log"
    bl_label = "Show log"
    bl_description = "Write the newest lines of the log to a text block"

    def execute(self, context):
        text = bpy.data.texts.get("svc log") or bpy.data.texts.new("svc log")
        text.from_string("\n".join(svc_host.state()["log"]) + "\n")
        self.report({"INFO"}, 'See the text "svc log" in a text editor')
        return {"FINISHED"}


class SVC_PT_panel(bpy.types.Panel):
    bl_label = "svc"
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "svc"

    def draw(self, context):
        told = svc_host.state()
        layout = self.layout
        layout.label(text=told["state"], icon="LINKED" if told["state"] == "connected" else "UNLINKED")
        if told["reason"]:
            for line in _wrapped(told["reason"]):
                layout.label(text=line)
        if told["mcp_url"]:
            layout.label(text=told["mcp_url"])
        layout.label(text="%d running, %d waiting" % (told["running"], told["waiting"]))
        layout.operator("svc.toggle", text="Start" if told["state"] == "stopped" else "Stop")
        layout.operator("svc.copy_settings")
        layout.operator("svc.show_log")
        box = layout.box()
        for said in told["log"][-4:]:
            for line in _wrapped(said[:300]):
                box.label(text=line)


def _wrapped(text, width=34):
    """Lines that the sidebar shows whole; what has no blank, such as a path, is cut where the line ends."""
    lines = [""]
    for word in (part for each in text.split() for part in (each[at : at + width] for at in range(0, len(each), width))):
        if lines[-1] and len(lines[-1]) + len(word) >= width:
            lines.append("")
        lines[-1] = (lines[-1] + " " + word).strip()
    return lines


_classes = (SVC_OT_toggle, SVC_OT_copy, SVC_OT_log, SVC_PT_panel)
_handlers = {"load_post": _loaded, "depsgraph_update_post": _changed, "undo_post": _changed, "redo_post": _changed}


def register():
    if _is_child:
        return
    # First: where another copy of this add-on serves already it says so, and nothing of this one stays.
    _start()
    for each in _classes:
        bpy.utils.register_class(each)
    for name, handler in _handlers.items():
        getattr(bpy.app.handlers, name).append(handler)
    if not bpy.app.background:
        bpy.app.timers.register(_pump, first_interval=0.1, persistent=True)


def unregister():
    if _is_child:
        return
    if bpy.app.timers.is_registered(_pump):
        bpy.app.timers.unregister(_pump)
    svc_host.stop()
    for name, handler in _handlers.items():
        getattr(bpy.app.handlers, name).remove(handler)
    for each in reversed(_classes):
        bpy.utils.unregister_class(each)

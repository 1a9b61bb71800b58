"""Renders in a child process on a saved copy: the artist goes on, and a cancel ends the child."""
import collections
import json
import os
import re
import shutil
import subprocess
import tempfile
import threading
from typing import Optional

import bpy

from . import svc_host
from .scene import engine_names
from .svc_host import ToolError
from .tools import check_frame, check_render, to_write

_LARGEST = 1024 * 1024
#: The one name in which the process that renders puts the number of the frame.
_NUMBERED = "frame_####.png"


def _run(call, what, wanted):
    """Saves a copy, renders it in a child and yields meanwhile; returns what the child told at its end."""
    folder = tempfile.mkdtemp(prefix="svc-render-")
    child = None
    try:
        copy = os.path.join(folder, "scene.blend")
        bpy.ops.wm.save_as_mainfile(filepath=copy, copy=True, compress=False, check_existing=False)
        yield 0.0
        script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "render_child.py")
        command = [bpy.app.binary_path, "--background", copy, "--python-exit-code", "9", "--python", script, "--", json.dumps(wanted)]
        child = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=dict(os.environ, SVC_RENDER_CHILD="1"),
        )
        svc_host.child(child.pid)
        call.on_cancel(child.kill)
        lines = collections.deque(maxlen=200)
        told = {}
        reader = threading.Thread(target=_read, args=(child.stdout, lines, told), daemon=True)
        reader.start()
        shown = None
        while child.poll() is None:
            now = told.get("progress")
            if now is not None and now != shown:
                shown = now
                call.progress(*now)
            yield 0.05
        reader.join(2)
        if child.returncode != 0 or "result" not in told:
            said = [each for each in lines if each.strip()][-8:]
            why = next((each for each in lines if each.startswith("Error: ")), "Blender ended with code %s" % child.returncode)
            raise ToolError("The %s failed: %s" % (what, why), "RENDER_FAILED", output=said)
        return told["result"]
    finally:
        if child is not None:
            if child.poll() is None:
                child.kill()
            child.wait()
            child.stdin.close()
            svc_host.child(child.pid, running=False)
        shutil.rmtree(folder, ignore_errors=True)


def _read(stream, lines, told):
    """Follows what the child prints: its own words, and those of Blender about samples."""
    frame = [0, 1]
    for raw in iter(stream.readline, b""):
        line = raw.decode("utf-8", "replace").rstrip()
        if line.startswith("SVC "):
            message = json.loads(line[4:])
            if "frame" in message:
                frame = message["frame"]
                told["progress"] = (float(frame[0]), float(frame[1]), "frame %d of %d" % (frame[0] + 1, frame[1]))
            else:
                told["result"] = message
            continue
        lines.append(line)
        match = re.search(r"(?:Sample|Tiles?) (\d+)/(\d+)", line) or re.search(r"Rendered (\d+)/(\d+)", line)
        if match and int(match.group(2)):
            part = min(int(match.group(1)) / int(match.group(2)), 1.0)
            told["progress"] = (round(frame[0] + part, 3), float(frame[1]), match.group(0))


def _wanted(width, height, samples, engine, first, last):
    check_render(width, height, samples)
    check_frame(first)
    check_frame(last)
    if not bpy.context.scene.camera:
        raise ToolError("The scene has no camera: place one with set_camera", "NO_CAMERA")
    return {"width": width, "height": height, "samples": samples, "engines": engine_names(engine) if engine else [], "first": first, "last": last}


def _result(told):
    content = [{"type": "text", "text": json.dumps({key: told[key] for key in ("paths", "width", "height", "engine")})}]
    preview = told.get("preview")
    if preview:
        if os.path.getsize(preview) <= _LARGEST:
            content.insert(0, svc_host.image(preview))
        if preview not in told["paths"]:
            os.remove(preview)
    return {"content": content}


@svc_host.tool(tags=["render", "picture"], undo=False)
def render_still(call, path: str = "", frame: Optional[int] = None, width: Optional[int] = None, height: Optional[int] = None, samples: Optional[int] = None, engine: Optional[str] = None):
    """Renders a picture of the scene in a process of its own, as a background job; the result shows it.

    Args:
        path: PNG file to write, which ends with .png; a temporary one unless given
        frame: frame to render; the one of the scene unless given
        width: in pixels
        height: in pixels
        samples: fewer are quicker
        engine: CYCLES, BLENDER_EEVEE or BLENDER_WORKBENCH; that of the scene unless given
    """
    if path and not path.lower().endswith(".png"):
        path += ".png"
    at = bpy.context.scene.frame_current if frame is None else frame
    wanted = _wanted(width, height, samples, engine, at, at)
    wanted["path"] = to_write(path) if path else os.path.join(tempfile.mkdtemp(prefix="svc-still-"), "still.png")
    told = yield from _run(call, "render", wanted)
    return _result(told)


@svc_host.tool(tags=["render", "animation"], undo=False)
def render_animation(call, folder: str, frame_start: Optional[int] = None, frame_end: Optional[int] = None, width: Optional[int] = None, height: Optional[int] = None, samples: Optional[int] = None, engine: Optional[str] = None):
    """Renders frames as PNG files into a folder in a process of its own, as a background job; the result shows the last.

    Args:
        folder: where frame_0001.png and so on are written
        frame_start: first frame; that of the scene unless given
        frame_end: last frame; that of the scene unless given
        width: in pixels
        height: in pixels
        samples: fewer are quicker
        engine: CYCLES, BLENDER_EEVEE or BLENDER_WORKBENCH; that of the scene unless given
    """
    scene = bpy.context.scene
    first = scene.frame_start if frame_start is None else frame_start
    last = scene.frame_end if frame_end is None else frame_end
    if last < first or last - first >= 100000:
        raise ToolError("There are no frames %d to %d" % (first, last), "BAD_VALUE")
    wanted = _wanted(width, height, samples, engine, first, last)
    wanted["path"] = to_write(os.path.join(folder, _NUMBERED))
    told = yield from _run(call, "render", wanted)
    return _result(told)

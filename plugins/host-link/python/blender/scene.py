"""What is open in Blender, as agents read it: made in slices after it changed, and bounded."""
import itertools
import math
import time

import bpy

from . import svc_host

#: Objects that are listed one by one; of more only the number is told.
MOST_OBJECTS = 1000
_QUIET = 0.2
_SLICE = 0.002

_due = None
_making = None


def changed():
    """The scene is another one: it is told in a moment, with what else changes until then."""
    global _due
    if _due is None:
        _due = time.monotonic() + _QUIET


def work():
    """Goes on making the snapshot, for 2 ms at most; always false, so that it can stand for `until`."""
    global _due, _making
    now = time.monotonic()
    if _due is not None and now >= _due and not _is_rendering():
        _due, _making = None, _snapshot()
    end = now + _SLICE
    while _making is not None and time.monotonic() < end:
        try:
            next(_making)
        except StopIteration:
            _making = None
        except (ReferenceError, RuntimeError):
            # Something was removed while it was read.
            _making = None
            changed()
        except Exception as error:
            # Nothing of a scene ends the host.
            _making = None
            svc_host.report_error(error, "scene")
    return False


def _is_rendering():
    return hasattr(bpy.app, "is_job_running") and bpy.app.is_job_running("RENDER")


def rounded(values):
    """What is no number, as a broken driver gives, is None: JSON has none of those."""
    return [round(float(each), 4) if math.isfinite(each) else None for each in values]


def turned(thing):
    """Its rotation around x, y, z in degrees, however it keeps that."""
    mode = thing.rotation_mode
    if mode in ("QUATERNION", "AXIS_ANGLE"):
        euler = thing.matrix_basis.to_euler()
    else:
        euler = thing.rotation_euler
    return [math.degrees(each) for each in euler]


def describe(thing):
    """An object as it is listed."""
    told = {
        "name": thing.name,
        "type": thing.type,
        "location": rounded(thing.location),
        "rotation": rounded(turned(thing)),
        "scale": rounded(thing.scale),
        "visible": not thing.hide_viewport,
    }
    if thing.parent:
        told["parent"] = thing.parent.name
    materials = [each.material.name for each in thing.material_slots if each.material]
    if materials:
        told["materials"] = materials
    return told


def engine_names(name):
    """What an engine may be called here, `eevee` as people say or as Blender does: that had another name from 4.2 to 4.5."""
    name = name.upper()
    if name in ("EEVEE", "WORKBENCH"):
        name = "BLENDER_" + name
    both = ("BLENDER_EEVEE", "BLENDER_EEVEE_NEXT")
    return (name,) + tuple(each for each in both if name in both and each != name)


def _names(things):
    return [each.name for each in itertools.islice(things, MOST_OBJECTS)]


def summary():
    """The open file without its objects."""
    scene = bpy.context.scene
    settings = scene.render
    return {
        "file": bpy.data.filepath or None,
        "unsaved_changes": bpy.data.is_dirty,
        "scene": scene.name,
        "frame": scene.frame_current,
        "frame_range": [scene.frame_start, scene.frame_end],
        "camera": scene.camera.name if scene.camera else None,
        "engine": settings.engine,
        "resolution": [settings.resolution_x, settings.resolution_y],
        "collections": _names(bpy.data.collections),
        "materials": _names(bpy.data.materials),
        "object_count": len(scene.objects),
    }


def _snapshot():
    told = summary()
    listed = []
    for thing in bpy.context.scene.objects:
        if len(listed) == MOST_OBJECTS:
            break
        listed.append(describe(thing))
        yield
    active = bpy.context.view_layer.objects.active
    told["active"] = active.name if active else None
    told["objects"] = listed
    told["truncated"] = told["object_count"] > len(listed)
    svc_host.set_scene(told)
    svc_host.set_documents(told["file"])

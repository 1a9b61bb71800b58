"""Tools of Blender: objects, materials, lights, cameras, scene, files, viewport."""
import math
import os
import re
import tempfile
from enum import Enum
from typing import Any, Dict, List, Optional, Tuple

import bmesh
import bpy
from mathutils import Euler, Vector

from . import svc_host
from .scene import describe, engine_names, rounded, summary, turned
from .svc_host import ToolError

#: Three numbers, as the schema says: others are refused before anything is done.
Vec = Tuple[float, float, float]


#: The last that Blender knows.
LAST_FRAME = 1048574


class Shape(Enum):
    CUBE = "cube"
    SPHERE = "sphere"
    CYLINDER = "cylinder"
    CONE = "cone"
    PLANE = "plane"
    MONKEY = "monkey"
    EMPTY = "empty"


class LightKind(Enum):
    POINT = "point"
    SUN = "sun"
    SPOT = "spot"
    AREA = "area"


def in_window():
    """A context with a window, which operators need and timers do not have."""
    windows = bpy.context.window_manager.windows
    if windows and hasattr(bpy.context, "temp_override"):
        return bpy.context.temp_override(window=windows[0])
    return _Here()


class _Here:
    def __enter__(self):
        return self

    def __exit__(self, *_):
        return False


def undo_step(name):
    with in_window():
        bpy.ops.ed.undo_push(message=name)


def _known(what, names):
    """The end of a sentence, for who reads nothing but that."""
    return ": %s %s" % (what, ", ".join(names[:10])) if names else ""


def within(what, value, least, most):
    """Refuses what Blender would cut, or take and then hang on."""
    if value is not None and not least <= value <= most:
        raise ToolError("%s is from %.8g to %.8g, not %.8g" % (what, least, most, value), "BAD_VALUE")


def check_render(width, height, samples):
    within("width", width, 4, 65536)
    within("height", height, 4, 65536)
    within("samples", samples, 1, 16777216)


def check_frame(frame):
    within("a frame", frame, -LAST_FRAME, LAST_FRAME)


def _object(name):
    found = bpy.context.scene.objects.get(name)
    if found is None:
        near = [each.name for each in bpy.context.scene.objects if name.lower()[:3] in each.name.lower()][:10]
        raise ToolError('No object is named "%s"%s' % (name, _known("there are", near)), "NO_OBJECT", name=name, near=near)
    return found


def _material(name):
    found = bpy.data.materials.get(name)
    if found is None:
        known = [each.name for each in bpy.data.materials][:50]
        raise ToolError('No material is named "%s"%s' % (name, _known("there are", known)), "NO_MATERIAL", known=known)
    return found


def _turn(thing, degrees):
    """Returns the property that was set: what comes from glTF turns by quaternions."""
    euler = Euler([math.radians(each) for each in degrees])
    if thing.rotation_mode == "QUATERNION":
        thing.rotation_quaternion = euler.to_quaternion()
        return "rotation_quaternion"
    if thing.rotation_mode == "AXIS_ANGLE":
        axis, angle = euler.to_quaternion().to_axis_angle()
        thing.rotation_axis_angle = (angle, *axis)
        return "rotation_axis_angle"
    thing.rotation_euler = euler[:]
    return "rotation_euler"


def _place(thing, location, rotation, scale):
    """Returns the properties that were set."""
    placed = []
    if location is not None:
        thing.location = location
        placed.append("location")
    if rotation is not None:
        placed.append(_turn(thing, rotation))
    if scale is not None:
        thing.scale = scale
        placed.append("scale")
    return placed


def absolute(path):
    """A whole path: `~` and Blender's `//` are written out."""
    if path.startswith("//"):
        if not bpy.data.filepath:
            raise ToolError('"//" is the folder of the open file, which was not saved yet: give a whole path', "BAD_PATH", path=path)
        path = bpy.path.abspath(path)
    try:
        return svc_host.whole_path(path)
    except ToolError as error:
        raise ToolError("%s, or beside the open file with //" % error, "BAD_PATH", path=path)


def to_write(path):
    """The same of a file that is to be written."""
    return svc_host.path_to_write(absolute(path) + ("/" if path.endswith("/") else ""))


def _free(name, thing):
    """That name, or with a number when another object has it: Blender may rename that one instead."""
    number, free = 0, name
    while bpy.data.objects.get(free) not in (None, thing):
        number += 1
        free = "%s.%03d" % (name, number)
    return free


def _link(thing):
    bpy.context.scene.collection.objects.link(thing)
    bpy.context.view_layer.objects.active = thing
    bpy.context.view_layer.update()


@svc_host.tool(read_only=True, tags=["scene"])
def scene_info() -> Dict[str, Any]:
    """Tells what is open: file, scene, frames, camera, render settings, collections, materials, number of objects."""
    return summary()


@svc_host.tool(read_only=True, tags=["object", "scene"], execution="sync")
def list_objects(kind: Optional[str] = None, name_contains: str = "", offset: int = 0, limit: int = 100) -> Dict[str, Any]:
    """Lists the objects of the scene, with place, parent and materials.

    Args:
        kind: only of this type, such as MESH, LIGHT, CAMERA, EMPTY
        name_contains: only with this in the name
        offset: how many to leave out
        limit: how many at most, up to 1000
    """
    wanted = name_contains.lower()
    first, most = max(offset, 0), min(max(limit, 0), 1000)
    total, shown = 0, []
    # By name: an object may go while the application has its turn.
    names = [each.name for each in bpy.context.scene.objects]
    for at, name in enumerate(names):
        if at % 200 == 199:
            yield
        if wanted not in name.lower():
            continue
        thing = bpy.data.objects.get(name) if kind is not None or first <= total < first + most else None
        if kind is not None and (thing is None or thing.type != kind.upper()):
            continue
        if thing is not None and first <= total < first + most:
            shown.append(describe(thing))
        total += 1
    return {"total": total, "objects": shown}


@svc_host.tool(read_only=True, tags=["object"])
def get_object(name: str) -> Dict[str, Any]:
    """Tells everything of one object: place, size, mesh, modifiers, collections."""
    thing = _object(name)
    told = describe(thing)
    told["dimensions"] = rounded(thing.dimensions)
    told["world_location"] = rounded(thing.matrix_world.translation)
    told["collections"] = [each.name for each in thing.users_collection]
    told["modifiers"] = [{"name": each.name, "type": each.type} for each in thing.modifiers]
    told["children"] = [each.name for each in thing.children]
    if thing.type == "MESH":
        mesh = thing.data
        told["mesh"] = {"vertices": len(mesh.vertices), "edges": len(mesh.edges), "faces": len(mesh.polygons)}
    return told


@svc_host.tool(tags=["object", "create", "mesh"])
def create_object(
    shape: Shape, name: str = "", location: Optional[Vec] = None, rotation: Optional[Vec] = None, scale: Optional[Vec] = None, size: float = 2.0
) -> Dict[str, Any]:
    """Creates an object.

    Args:
        shape: what it is
        name: its name; another number is added when it is taken
        location: x, y, z
        rotation: around x, y, z in degrees
        scale: along x, y, z
        size: edge or diameter
    """
    within("size", size, 0.000001, 1000000)
    label = name or shape.value.capitalize()
    if shape is Shape.EMPTY:
        thing = bpy.data.objects.new(label, None)
    else:
        made = bmesh.new()
        half = size / 2
        if shape is Shape.CUBE:
            bmesh.ops.create_cube(made, size=size)
        elif shape is Shape.SPHERE:
            # The keyword was another one before 3.0.
            key = "radius" if bpy.app.version >= (3, 0, 0) else "diameter"
            bmesh.ops.create_uvsphere(made, u_segments=32, v_segments=16, **{key: half})
        elif shape in (Shape.CYLINDER, Shape.CONE):
            top = half if shape is Shape.CYLINDER else 0.0
            keys = ("radius1", "radius2") if bpy.app.version >= (3, 0, 0) else ("diameter1", "diameter2")
            bmesh.ops.create_cone(made, cap_ends=True, segments=32, depth=size, **{keys[0]: half, keys[1]: top})
        elif shape is Shape.PLANE:
            bmesh.ops.create_grid(made, x_segments=1, y_segments=1, size=half)
        else:
            bmesh.ops.create_monkey(made)
        mesh = bpy.data.meshes.new(label)
        made.to_mesh(mesh)
        made.free()
        thing = bpy.data.objects.new(label, mesh)
    _place(thing, location, rotation, scale)
    _link(thing)
    return describe(thing)


@svc_host.tool(tags=["object", "move"])
def transform_object(
    name: str, location: Optional[Vec] = None, rotation: Optional[Vec] = None, scale: Optional[Vec] = None, relative: bool = False
) -> Dict[str, Any]:
    """Moves, turns (degrees) and scales an object; `relative` adds to what it has, and multiplies its scale."""
    thing = _object(name)
    if relative:
        if location is not None:
            location = [a + b for a, b in zip(thing.location, location)]
        if rotation is not None:
            rotation = [a + b for a, b in zip(turned(thing), rotation)]
        if scale is not None:
            scale = [a * b for a, b in zip(thing.scale, scale)]
    _place(thing, location, rotation, scale)
    bpy.context.view_layer.update()
    return describe(thing)


@svc_host.tool(tags=["object"])
def rename_object(name: str, new_name: str) -> Dict[str, Any]:
    """Renames an object; another number is added when the name is taken."""
    thing = _object(name)
    if not new_name.strip():
        raise ToolError("new_name is empty", "BAD_VALUE")
    thing.name = _free(new_name, thing)
    return describe(thing)


@svc_host.tool(tags=["object", "copy"])
def duplicate_object(name: str, new_name: str = "", location: Optional[Vec] = None, linked: bool = False) -> Dict[str, Any]:
    """Copies an object; a linked copy shares its mesh."""
    thing = _object(name)
    copy = thing.copy()
    if thing.data is not None and not linked:
        copy.data = thing.data.copy()
    if new_name:
        copy.name = _free(new_name, copy)
    _place(copy, location, None, None)
    _link(copy)
    return describe(copy)


@svc_host.tool(destructive=True, tags=["object"])
def delete_objects(names: List[str]) -> Dict[str, Any]:
    """Deletes objects; nothing when one of them is not there."""
    names = list(dict.fromkeys(names))
    for each in [_object(name) for name in names]:
        bpy.data.objects.remove(each)
    return {"deleted": names}


@svc_host.tool(tags=["object"])
def set_parent(name: str, parent: Optional[str] = None) -> Dict[str, Any]:
    """Makes an object the child of another, where it stands; without a parent it is free again."""
    thing = _object(name)
    above = _object(parent) if parent else None
    if above == thing:
        raise ToolError('"%s" cannot be its own parent' % name, "BAD_VALUE")
    each = above
    while each is not None:
        if each == thing:
            raise ToolError('"%s" stands below "%s" itself, and cannot be its parent' % (parent, name), "BAD_VALUE")
        each = each.parent
    world = thing.matrix_world.copy()
    thing.parent = above
    thing.matrix_world = world
    return describe(thing)


@svc_host.tool(tags=["object"])
def set_visible(name: str, viewport: Optional[bool] = None, render: Optional[bool] = None) -> Dict[str, Any]:
    """Shows or hides an object, in the viewport and in renders."""
    thing = _object(name)
    if viewport is not None:
        thing.hide_viewport = not viewport
    if render is not None:
        thing.hide_render = not render
    return describe(thing)


@svc_host.tool(tags=["modifier", "mesh"])
def add_modifier(name: str, kind: str, settings: Optional[Dict[str, Any]] = None) -> Dict[str, Any]:
    """Adds a modifier, such as SUBSURF, BEVEL, ARRAY, MIRROR, SOLIDIFY, with its settings by name.

    Args:
        name: name of the object
        kind: type of the modifier
        settings: its properties, such as {"levels": 2}; an object, such as that of a BOOLEAN, by its name
    """
    thing = _object(name)
    try:
        made = thing.modifiers.new(kind.capitalize(), kind.upper())
    except TypeError:
        raise ToolError('There is no modifier "%s"' % kind, "BAD_VALUE")
    if made is None:
        raise ToolError("A %s takes no modifier %s" % (thing.type, kind), "BAD_VALUE")
    try:
        for key, value in (settings or {}).items():
            known = made.bl_rna.properties.get(key)
            points = known is not None and known.type == "POINTER" and known.fixed_type.identifier == "Object"
            setattr(made, key, _object(value) if points and isinstance(value, str) else value)
    except (AttributeError, TypeError, ValueError, ToolError) as error:
        thing.modifiers.remove(made)
        if isinstance(error, ToolError):
            raise
        raise ToolError(str(error).replace("bpy_struct: item.attr = val: ", ""), "BAD_VALUE")
    return {"object": thing.name, "modifier": made.name}


@svc_host.tool(tags=["material", "create"])
def create_material(name: str, color: Optional[List[float]] = None, metallic: float = 0.0, roughness: float = 0.5, emission: float = 0.0) -> Dict[str, Any]:
    """Creates a material, or changes the one of that name.

    Args:
        name: its name
        color: red, green, blue and perhaps alpha, each 0 to 1
        metallic: 0 to 1
        roughness: 0 to 1
        emission: how much it shines in its color
    """
    tint = list(color or [0.8, 0.8, 0.8])
    if len(tint) not in (3, 4):
        raise ToolError("color has 3 or 4 numbers, not %d" % len(tint), "BAD_VALUE")
    within("metallic", metallic, 0, 1)
    within("roughness", roughness, 0, 1)
    within("emission", emission, 0, 1000000)
    tint += [1.0] * (4 - len(tint))
    material = bpy.data.materials.get(name) or bpy.data.materials.new(name)
    # Always so from 5.0 on, where setting it is deprecated.
    if not getattr(material, "use_nodes", True):
        material.use_nodes = True
    material.diffuse_color = tint
    node = next((each for each in material.node_tree.nodes if each.type == "BSDF_PRINCIPLED"), None)
    if node is None:
        raise ToolError('The material "%s" has nodes of its own: choose another name' % name, "NOT_SIMPLE")
    given = {"Base Color": tint, "Metallic": metallic, "Roughness": roughness, "Emission Strength": emission}
    # The color of what shines has another name since 4.0.
    given["Emission Color" if "Emission Color" in node.inputs else "Emission"] = tint
    for key, value in given.items():
        node.inputs[key].default_value = value
    return {"name": material.name, "color": rounded(tint)}


@svc_host.tool(tags=["material", "object"])
def assign_material(object_name: str, material: str) -> Dict[str, Any]:
    """Gives an object a material, in place of what it has."""
    thing = _object(object_name)
    if not hasattr(thing.data, "materials"):
        raise ToolError("A %s takes no material" % thing.type, "BAD_VALUE")
    found = _material(material)
    thing.data.materials.clear()
    thing.data.materials.append(found)
    return describe(thing)


@svc_host.tool(tags=["light", "create"])
def create_light(kind: LightKind, name: str = "", energy: float = 100.0, color: Optional[Vec] = None, location: Optional[Vec] = None, rotation: Optional[Vec] = None) -> Dict[str, Any]:
    """Creates a light; `energy` is in watts, of a sun in watts for each square metre."""
    light = bpy.data.lights.new(name or kind.value.capitalize(), kind.value.upper())
    light.energy = energy
    if color is not None:
        light.color = color
    thing = bpy.data.objects.new(light.name, light)
    _place(thing, location, rotation, None)
    _link(thing)
    return describe(thing)


@svc_host.tool(tags=["camera", "create"])
def set_camera(name: str = "Camera", location: Optional[Vec] = None, rotation: Optional[Vec] = None, look_at: Optional[Vec] = None, lens: Optional[float] = None) -> Dict[str, Any]:
    """Places the camera that renders, and makes it when there is none of that name.

    Args:
        name: its name
        location: x, y, z
        rotation: in degrees
        look_at: the point that it looks at, instead of a rotation
        lens: focal length in millimetres
    """
    within("lens", lens, 1, 5000)
    thing = bpy.context.scene.objects.get(name)
    if thing is not None and thing.type != "CAMERA":
        raise ToolError('"%s" is a %s' % (name, thing.type), "NO_CAMERA")
    if thing is None:
        thing = bpy.data.objects.new(name, bpy.data.cameras.new(name))
        _link(thing)
    _place(thing, location, rotation, None)
    if look_at is not None:
        way = Vector(look_at) - thing.location
        _turn(thing, [math.degrees(each) for each in way.to_track_quat("-Z", "Y").to_euler()])
    if lens is not None:
        thing.data.lens = lens
    bpy.context.scene.camera = thing
    bpy.context.view_layer.update()
    return describe(thing)


@svc_host.tool(tags=["animation"])
def set_frame(frame: int) -> Dict[str, Any]:
    """Goes to a frame."""
    check_frame(frame)
    bpy.context.scene.frame_set(frame)
    return {"frame": bpy.context.scene.frame_current}


@svc_host.tool(tags=["animation"])
def insert_keyframe(name: str, frame: int, location: Optional[Vec] = None, rotation: Optional[Vec] = None, scale: Optional[Vec] = None) -> Dict[str, Any]:
    """Places an object at a frame; what is given gets a key there."""
    check_frame(frame)
    thing = _object(name)
    keyed = _place(thing, location, rotation, scale)
    if not keyed:
        raise ToolError("Nothing was given to key: a location, a rotation or a scale", "BAD_VALUE")
    for path in keyed:
        thing.keyframe_insert(data_path=path, frame=frame)
    return {"object": thing.name, "frame": frame, "keyed": keyed}


@svc_host.tool(tags=["render"])
def set_render(engine: Optional[str] = None, width: Optional[int] = None, height: Optional[int] = None, samples: Optional[int] = None, frame_start: Optional[int] = None, frame_end: Optional[int] = None) -> Dict[str, Any]:
    """Changes how the scene renders: engine (CYCLES, BLENDER_EEVEE, BLENDER_WORKBENCH), size, samples, frames."""
    scene = bpy.context.scene
    check_render(width, height, samples)
    within("frame_start", frame_start, 0, LAST_FRAME)
    within("frame_end", frame_end, 0, LAST_FRAME)
    first = scene.frame_start if frame_start is None else frame_start
    last = scene.frame_end if frame_end is None else frame_end
    if last < first and (frame_start, frame_end) != (None, None):
        raise ToolError("frame_end %d stands before frame_start %d" % (last, first), "BAD_VALUE")
    if engine is not None:
        for name in engine_names(engine):
            try:
                scene.render.engine = name
                break
            except TypeError as error:
                known = str(error).partition(" not found in ")[2].strip("()").replace("'", "")
        else:
            raise ToolError('There is no render engine "%s", but %s' % (engine, known), "BAD_VALUE")
    for key, value in {"resolution_x": width, "resolution_y": height}.items():
        if value is not None:
            setattr(scene.render, key, value)
    if samples is not None:
        if hasattr(scene, "cycles"):
            scene.cycles.samples = samples
        scene.eevee.taa_render_samples = samples
    # Each pushes the other along.
    scene.frame_start, scene.frame_end = first, last
    scene.frame_start = first
    return summary()


_IMPORTS = {
    ".obj": ("wm.obj_import", "import_scene.obj"),
    ".stl": ("wm.stl_import", "import_mesh.stl"),
    ".ply": ("wm.ply_import", "import_mesh.ply"),
    ".fbx": ("wm.fbx_import", "import_scene.fbx"),
    ".glb": ("import_scene.gltf",),
    ".gltf": ("import_scene.gltf",),
    ".abc": ("wm.alembic_import",),
    ".usd": ("wm.usd_import",),
    ".usda": ("wm.usd_import",),
    ".usdc": ("wm.usd_import",),
}
_EXPORTS = {
    ".obj": ("wm.obj_export", "export_scene.obj"),
    ".stl": ("wm.stl_export", "export_mesh.stl"),
    ".ply": ("wm.ply_export", "export_mesh.ply"),
    ".fbx": ("export_scene.fbx",),
    ".glb": ("export_scene.gltf",),
    ".gltf": ("export_scene.gltf",),
    ".abc": ("wm.alembic_export",),
    ".usd": ("wm.usd_export",),
    ".usda": ("wm.usd_export",),
    ".usdc": ("wm.usd_export",),
}


def _operator(path, table):
    suffix = os.path.splitext(path)[1].lower()
    if suffix not in table:
        raise ToolError('"%s" is no format that can be taken: use one of %s' % (suffix, ", ".join(sorted(table))), "NO_FORMAT")
    for name in table[suffix]:
        family, _, verb = name.partition(".")
        operator = getattr(getattr(bpy.ops, family), verb)
        try:
            operator.get_rna_type()
            return operator
        except (KeyError, AttributeError):
            continue
    raise ToolError("This Blender cannot handle %s: its add-on is not enabled, or it was built without" % suffix, "NO_FORMAT")


def _last_line(error):
    lines = [each.strip() for each in str(error).splitlines() if each.strip() and not each.startswith("Location: ")]
    # Behind what went wrong in a trace may stand what the author of a library has to say of it.
    errors = [each for each in lines if re.match(r"\w*Error: (?!Python: )", each)]
    said = (errors or lines or [type(error).__name__])[-1]
    return said[7:] if said.startswith("Error: ") else said


@svc_host.tool(tags=["file", "import"])
def import_file(path: str) -> Dict[str, Any]:
    """Imports a file (obj, stl, ply, fbx, glb, gltf, abc, usd) into the scene."""
    operator = _operator(path, _IMPORTS)
    path = absolute(path)
    if not os.path.isfile(path):
        raise ToolError("There is no file %s" % path, "NO_FILE", path=path)
    before = {each.name for each in bpy.context.scene.objects}
    try:
        with in_window():
            operator(filepath=path)
    except RuntimeError as error:
        # Half of it is nothing that anybody asked for, and no undo step would take it back.
        for each in [each for each in bpy.context.scene.objects if each.name not in before]:
            bpy.data.objects.remove(each)
        raise ToolError("The file cannot be imported: %s" % _last_line(error), "IMPORT_FAILED")
    imported = [each.name for each in bpy.context.scene.objects if each.name not in before]
    if not imported:
        raise ToolError("Nothing was found in %s that could be imported" % path, "IMPORT_FAILED", path=path)
    return {"imported": imported}


@svc_host.tool(tags=["file", "export"], undo=False)
def export_file(path: str) -> Dict[str, Any]:
    """Exports the scene to a file; its name says the format (obj, stl, ply, fbx, glb, gltf, abc, usd)."""
    operator = _operator(path, _EXPORTS)
    path = to_write(path)
    given = {"filepath": path}
    if path.lower().endswith(".gltf"):
        given["export_format"] = "GLTF_SEPARATE"
    try:
        with in_window():
            operator(**given)
    except (RuntimeError, OSError) as error:
        raise ToolError("The scene cannot be exported: %s" % _last_line(error), "EXPORT_FAILED")
    if not os.path.isfile(path):
        raise ToolError("Blender wrote no file %s" % path, "EXPORT_FAILED")
    return {"path": path, "bytes": os.path.getsize(path)}


@svc_host.tool(destructive=True, tags=["file"], undo=False)
def open_file(path: str, discard_changes: bool = False) -> Dict[str, Any]:
    """Opens a .blend file in place of the open one; changes that were not saved are kept unless they may be discarded."""
    path = absolute(path)
    if not os.path.isfile(path):
        raise ToolError("There is no file %s" % path, "NO_FILE", path=path)
    if bpy.data.is_dirty and not discard_changes:
        raise ToolError("The open file has changes that were not saved: save it, or say discard_changes", "UNSAVED")
    try:
        with in_window():
            bpy.ops.wm.open_mainfile(filepath=path)
    except RuntimeError as error:
        raise ToolError("The file cannot be opened: %s" % _last_line(error), "OPEN_FAILED", path=path)
    return summary()


@svc_host.tool(tags=["file"], undo=False)
def save_file(path: Optional[str] = None) -> Dict[str, Any]:
    """Saves the open file, under another path when one is given; that ends with .blend."""
    if path and not path.endswith("/") and not path.lower().endswith(".blend"):
        path += ".blend"
    if not path and not bpy.data.filepath:
        raise ToolError("The file has no path yet: give one", "NO_PATH")
    with in_window():
        try:
            bpy.ops.wm.save_as_mainfile(filepath=to_write(path) if path else bpy.data.filepath)
        except RuntimeError as error:
            raise ToolError("The file cannot be saved: %s" % _last_line(error), "SAVE_FAILED")
    return {"path": bpy.data.filepath}


@svc_host.tool(read_only=True, tags=["viewport", "picture"])
def viewport_picture(width: int = 800, height: int = 600) -> Dict[str, Any]:
    """Shows what the 3D viewport shows."""
    found = None
    for window in bpy.context.window_manager.windows:
        for area in window.screen.areas:
            if area.type == "VIEW_3D":
                found = window, area
    if found is None or bpy.app.background:
        raise ToolError("This Blender has no 3D viewport: render_still shows the scene", "NO_VIEWPORT")
    import gpu

    width, height = min(max(width, 16), 2048), min(max(height, 16), 2048)
    window, area = found
    space = area.spaces.active
    region = next(each for each in area.regions if each.type == "WINDOW")
    view = space.region_3d
    screen = gpu.types.GPUOffScreen(width, height)
    try:
        scene = window.scene
        layer = window.view_layer
        screen.draw_view3d(scene, layer, space, region, view.view_matrix, view.window_matrix, do_color_management=True)
        buffer = screen.texture_color.read()
    finally:
        screen.free()
    buffer.dimensions = width * height * 4
    picture = bpy.data.images.new("svc viewport", width, height, alpha=True)
    path = os.path.join(tempfile.mkdtemp(prefix="svc-"), "viewport.png")
    try:
        picture.pixels = [each / 255 for each in buffer]
        picture.filepath_raw = path
        picture.file_format = "PNG"
        picture.save()
        return {"content": [svc_host.image(path), {"type": "text", "text": "%d x %d" % (width, height)}]}
    finally:
        bpy.data.images.remove(picture)
        if os.path.exists(path):
            os.remove(path)
        os.rmdir(os.path.dirname(path))

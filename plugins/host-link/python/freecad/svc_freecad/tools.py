"""Tools of FreeCAD: documents, shapes, booleans, properties, export."""
import math
import os
import time
from enum import Enum
from typing import Any, Dict, List, Optional, Tuple

import FreeCAD

from . import svc_host
from .svc_host import ToolError

#: Objects that are listed one by one; of more only the number is told.
MOST_OBJECTS = 1000


class Solid(Enum):
    BOX = "box"
    CYLINDER = "cylinder"
    SPHERE = "sphere"
    CONE = "cone"
    TORUS = "torus"


class Operation(Enum):
    CUT = "cut"
    FUSE = "fuse"
    COMMON = "common"


class _Observer:
    """FreeCAD calls what of this it finds when something changes."""

    changed = True
    due = 0.0

    def _mark(self, *_):
        if not self.changed:
            self.due = time.monotonic() + 0.2
        self.changed = True

    slotCreatedDocument = slotDeletedDocument = slotActivateDocument = slotFinishSaveDocument = _mark
    slotCreatedObject = slotDeletedObject = slotChangedObject = _mark


observer = _Observer()


_making = None
_SLICE = 0.002


def tell_scene() -> bool:
    """Goes on telling what is open, a moment after it changed and for 2 ms at most, or one shape; always false, so that it
    can stand for `until`."""
    global _making
    if observer.changed and time.monotonic() >= observer.due:
        observer.changed = False
        _making = _tell(FreeCAD.ActiveDocument)
    end = time.monotonic() + _SLICE
    while _making is not None and time.monotonic() < end:
        try:
            next(_making)
        except StopIteration:
            _making = None
        except (ReferenceError, RuntimeError):
            # Something was removed while it was read; that was told, too.
            _making = None
        except Exception as error:
            # Nothing of a scene ends the host.
            _making = None
            svc_host.report_error(error, "scene")
    return False


def _tell(document):
    """In pieces: the volume of one shape may take long enough."""
    if document is None:
        svc_host.set_scene(None)
        svc_host.set_documents(None)
        return
    things = document.Objects
    listed = []
    for thing in things[:MOST_OBJECTS]:
        listed.append(_describe(thing))
        yield
    svc_host.set_scene(_told(document, things, listed))
    svc_host.set_documents(document.FileName or None)


def _document():
    return FreeCAD.ActiveDocument or FreeCAD.newDocument("Unnamed")


def _open():
    if FreeCAD.ActiveDocument is None:
        raise ToolError("No document is open: create_solid makes one", "NO_DOCUMENT")
    return FreeCAD.ActiveDocument


def _object(name):
    document = _open()
    found = document.getObject(name) or next(iter(document.getObjectsByLabel(name)), None)
    if found is None:
        known = [each.Name for each in document.Objects][:50]
        there = ": there are %s" % ", ".join(known[:10]) if known else ""
        raise ToolError('No object is named "%s"%s' % (name, there), "NO_OBJECT", known=known)
    return found


def _why(error):
    """FreeCAD's own errors carry a record, of which people read one field."""
    told = error.args[0] if error.args else ""
    return str(told.get("sErrMsg") if isinstance(told, dict) else error) or type(error).__name__


def _is_made(thing):
    """Computes the document anew; false when that cannot be."""
    thing.Document.recompute()
    shape = getattr(thing, "Shape", None)
    return "Invalid" not in thing.State and (shape is None or not shape.isNull())


def _rounded(values):
    """What is no number, as the size of a shape that is empty, is None: JSON has none of those."""
    return [round(each, 4) if math.isfinite(each) else None for each in values]


def _describe(thing) -> Dict[str, Any]:
    told = {"name": thing.Name, "label": thing.Label, "type": thing.TypeId}
    if hasattr(thing, "Placement"):
        told["position"] = _rounded(thing.Placement.Base)
    shape = getattr(thing, "Shape", None)
    if shape is not None and not shape.isNull():
        told["volume"] = _rounded([shape.Volume])[0]
        box = shape.BoundBox
        told["size"] = _rounded((box.XLength, box.YLength, box.ZLength))
    return told


def _told(document, things, listed) -> Dict[str, Any]:
    return {
        "document": document.Name,
        "file": document.FileName or None,
        "object_count": len(things),
        "objects": listed,
        "truncated": len(things) > len(listed),
    }


@svc_host.tool(read_only=True, execution="sync")
def document_info() -> Dict[str, Any]:
    """Tells the open document with its objects, their places, sizes and volumes."""
    document = _open()
    things, listed = document.Objects, []
    for thing in things[:MOST_OBJECTS]:
        listed.append(_describe(thing))
        yield
    return _told(document, things, listed)


@svc_host.tool
def create_solid(kind: Solid, name: str = "", position: Optional[Tuple[float, float, float]] = None, size: Optional[Dict[str, float]] = None) -> Dict[str, Any]:
    """Creates a solid.

    Args:
        kind: what it is
        name: its label
        position: x, y, z in millimetres
        size: its properties in millimetres, such as {"Length": 10, "Width": 5, "Height": 2} or {"Radius": 4}
    """
    document = _document()
    thing = document.addObject("Part::" + kind.value.capitalize(), name or kind.value.capitalize())
    try:
        for key, value in (size or {}).items():
            if key not in thing.PropertiesList:
                known = [each for each in thing.PropertiesList if isinstance(getattr(thing, each), FreeCAD.Units.Quantity)]
                raise ToolError('A %s has no "%s", but %s' % (kind.value, key, ", ".join(known)), "BAD_VALUE", known=known)
            setattr(thing, key, value)
        if position is not None:
            thing.Placement.Base = FreeCAD.Vector(*position)
        if not _is_made(thing):
            raise ToolError("A %s cannot be made of %s" % (kind.value, size), "BAD_VALUE")
    except Exception as error:
        document.removeObject(thing.Name)
        raise error if isinstance(error, ToolError) else ToolError(_why(error), "BAD_VALUE")
    return _describe(thing)


@svc_host.tool
def set_properties(name: str, properties: Dict[str, Any]) -> Dict[str, Any]:
    """Changes properties of an object, such as {"Height": 20}; all of them, or none."""
    thing = _object(name)
    before = {}
    problem = None
    for key, value in properties.items():
        try:
            before[key] = getattr(thing, key)
            setattr(thing, key, value)
        except Exception as error:
            before.pop(key, None)
            problem = "%s: %s" % (key, _why(error))
            break
    if problem is None and not _is_made(thing):
        problem = '"%s" cannot be made of that' % name
    if problem is not None:
        for key, old in before.items():
            setattr(thing, key, old)
        _is_made(thing)
        raise ToolError(problem, "BAD_VALUE", known=thing.PropertiesList)
    return _describe(thing)


@svc_host.tool
def combine(operation: Operation, base: str, tool: str, name: str = "") -> Dict[str, Any]:
    """Cuts, fuses or intersects two solids; both are kept inside of what comes out."""
    first, second = _object(base), _object(tool)
    document = _open()
    if first == second:
        raise ToolError('"%s" cannot be combined with itself' % base, "BAD_VALUE")
    made = document.addObject("Part::" + operation.value.capitalize(), name or operation.value.capitalize())
    made.Base, made.Tool = first, second
    problem = "are both solids?" if not _is_made(made) else None if made.Shape.Volume else "nothing would be left"
    if problem is not None:
        document.removeObject(made.Name)
        document.recompute()
        raise ToolError('"%s" and "%s" cannot be combined so: %s' % (base, tool, problem), "BAD_VALUE")
    return _describe(made)


@svc_host.tool(destructive=True)
def delete_object(name: str) -> Dict[str, Any]:
    """Deletes an object."""
    thing = _object(name)
    told = _describe(thing)
    _open().removeObject(thing.Name)
    return told


@svc_host.tool
def export_shapes(path: str, names: Optional[List[str]] = None) -> Dict[str, Any]:
    """Exports shapes as STEP, IGES, BREP or STL; all of the document unless names are given."""
    import Part

    things = [_object(each) for each in names] if names else _open().Objects
    shapes = [each.Shape for each in things if getattr(each, "Shape", None) and not each.Shape.isNull()]
    if not shapes:
        raise ToolError("There is no shape to export", "NOTHING")
    whole = Part.makeCompound(shapes)
    suffix = os.path.splitext(path)[1].lower()
    ways = {".step": whole.exportStep, ".stp": whole.exportStep, ".iges": whole.exportIges, ".igs": whole.exportIges}
    ways.update({".brep": whole.exportBrep, ".stl": whole.exportStl})
    if suffix not in ways:
        raise ToolError('"%s" is no format that can be taken: use one of %s' % (suffix, ", ".join(sorted(ways))), "NO_FORMAT")
    path = svc_host.path_to_write(path)
    try:
        ways[suffix](path)
        return {"path": path, "bytes": os.path.getsize(path)}
    except Exception as error:
        raise ToolError("The shapes cannot be exported: %s" % _why(error), "EXPORT_FAILED", path=path)


@svc_host.tool
def save_document(path: str = "") -> Dict[str, Any]:
    """Saves the document, under another path when one is given; that ends with .FCStd."""
    document = _open()
    if not path and not document.FileName:
        raise ToolError("The document has no path yet: give one", "NO_PATH")
    if path and not path.endswith("/") and not path.lower().endswith(".fcstd"):
        path += ".FCStd"
    before = document.FileName
    try:
        document.saveAs(svc_host.path_to_write(path)) if path else document.save()
    except (RuntimeError, OSError) as error:
        document.FileName = before
        raise ToolError("The document cannot be saved: %s" % _why(error), "SAVE_FAILED")
    return {"path": document.FileName}

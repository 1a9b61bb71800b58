"""Runs in the Blender that renders: `-- {json}` says what. It ends with the Blender that started it."""
import json
import os
import sys
import threading

import bpy

wanted = json.loads(sys.argv[sys.argv.index("--") + 1])


def say(message):
    sys.stdout.write("\nSVC %s\n" % json.dumps(message))
    sys.stdout.flush()


def ends_with_parent():
    """By the system where it can: the render may hold the interpreter while the other Blender dies."""
    if sys.platform.startswith("linux"):
        import ctypes

        ctypes.CDLL(None).prctl(1, 9)

    def wait():
        os.read(0, 1)
        os._exit(8)

    threading.Thread(target=wait, daemon=True).start()


def preview(path, width, height):
    """A smaller picture of a large one, to be looked at."""
    if os.path.getsize(path) <= 512 * 1024:
        return path
    picture = bpy.data.images.load(path)
    factor = min(1.0, 1024.0 / max(width, height))
    picture.scale(max(int(width * factor), 1), max(int(height * factor), 1))
    small = os.path.splitext(path)[0] + ".preview.jpg"
    settings = bpy.context.scene.render.image_settings
    settings.file_format, settings.quality = "JPEG", 85
    picture.save_render(small)
    return small


def render():
    try:
        bpy.ops.render.render(write_still=True)
    except RuntimeError as error:
        # A Blender that was built without the denoiser refuses the default of Cycles.
        if "enois" not in str(error) or not bpy.context.scene.cycles.use_denoising:
            raise
        bpy.context.scene.cycles.use_denoising = False
        bpy.ops.render.render(write_still=True)


def gives_way():
    """The artist's Blender comes first."""
    try:
        if os.name == "nt":
            import ctypes

            kernel = ctypes.windll.kernel32
            kernel.GetCurrentProcess.restype = ctypes.c_void_p
            kernel.SetPriorityClass(ctypes.c_void_p(kernel.GetCurrentProcess()), 0x4000)
        else:
            os.nice(10)
    except OSError:
        pass


def choose_engine():
    """The first of the names that this Blender has."""
    refused = None
    for name in wanted["engines"]:
        try:
            bpy.context.scene.render.engine = name
            return
        except TypeError as error:
            refused = str(error)
    if refused:
        # As Blender tells an error of its own.
        print("Error: there is no render engine %s, but%s" % (wanted["engines"][0], refused.partition(" not found in")[2]), flush=True)
        sys.exit(9)


ends_with_parent()
gives_way()
scene = bpy.context.scene
settings = scene.render
choose_engine()
settings.resolution_percentage = 100 if wanted["width"] or wanted["height"] else settings.resolution_percentage
settings.resolution_x = wanted["width"] or settings.resolution_x
settings.resolution_y = wanted["height"] or settings.resolution_y
if wanted["samples"]:
    if hasattr(scene, "cycles"):
        scene.cycles.samples = wanted["samples"]
    scene.eevee.taa_render_samples = wanted["samples"]
if hasattr(settings.image_settings, "media_type"):
    # A scene that is set to a video knows no PNG from 5.0 on.
    settings.image_settings.media_type = "IMAGE"
settings.image_settings.file_format = "PNG"
settings.use_file_extension = False
paths = []
count = wanted["last"] - wanted["first"] + 1
folder, name = os.path.split(wanted["path"])
for index in range(count):
    frame = wanted["first"] + index
    say({"frame": [index, count]})
    scene.frame_set(frame)
    path = os.path.join(folder, "frame_%04d.png" % frame if name == "frame_####.png" else name)
    settings.filepath = path
    render()
    paths.append(path)
scale = settings.resolution_percentage / 100.0
width, height = int(settings.resolution_x * scale), int(settings.resolution_y * scale)
engine = settings.engine
say({"paths": paths, "width": width, "height": height, "engine": engine, "preview": preview(paths[-1], width, height)})

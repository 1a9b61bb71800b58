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


ends_with_parent()
gives_way()
scene = bpy.context.scene
settings = scene.render
if wanted["engine"]:
    settings.engine = wanted["engine"]
settings.resolution_percentage = 100 if wanted["width"] or wanted["height"] else settings.resolution_percentage
settings.resolution_x = wanted["width"] or settings.resolution_x
settings.resolution_y = wanted["height"] or settings.resolution_y
if wanted["samples"]:
    scene.cycles.samples = wanted["samples"]
    scene.eevee.taa_render_samples = wanted["samples"]
settings.image_settings.file_format = "PNG"
settings.use_file_extension = False
paths = []
frames = wanted["frames"]
for index, frame in enumerate(frames):
    say({"frame": [index, len(frames)]})
    scene.frame_set(frame)
    path = wanted["path"] % frame if "%" in os.path.basename(wanted["path"]) else wanted["path"]
    settings.filepath = path
    render()
    paths.append(path)
scale = settings.resolution_percentage / 100.0
width, height = int(settings.resolution_x * scale), int(settings.resolution_y * scale)
engine = settings.engine
say({"paths": paths, "width": width, "height": height, "engine": engine, "preview": preview(paths[-1], width, height)})

"""FreeCAD runs this when its window opens."""
import svc_freecad

svc_freecad.start_in_window()

/**
 * Words of the field that mean the same, one group a line: the words before `;` stand for each other, those after it are
 * near them. An underscore joins a phrase. To maintain: add a word where a search should have found its neighbour.
 */
export const synonymRows = `
delete remove erase destroy get_rid_of throw_away take_out ; clear purge wipe discard trash drop clean kill
clear reset empty wipe flush ; delete remove clean
create make add new build generate ; spawn insert construct place put draw
spawn summon instantiate place drop_in ; create add put instance
insert add put ; create place append
append add attach ; merge join
render draw_frames ; output image frame picture still raytrace rasterize
bake precompute precalculate burn_in ; cache lightmap render calculate
export save_out write_out output ; save write dump convert publish send transcode encode
import bring_in load_in ingest pull_in ; load open read place merge
save store write persist ; export backup
save_as save_a_copy ; save export
open load ; import read
load open read fetch ; import
close quit exit shut_down ; stop
undo revert step_back go_back roll_back rollback ; restore history reset
redo repeat reapply do_again ; history
camera cam viewpoint shot_camera ; view lens
view viewport display screen ; window panel camera
viewport view_port 3d_view ; panel view screen
mesh polygon poly polymesh geometry geo model ; polygonal object surface shape
geometry geo mesh ; model shape polygon
model geometry ; mesh object asset
polygon face poly ; polys tris quad triangle
face polygon poly ; triangle quad
triangle tri tris ; polygon face triangulate
vertex vert point verts ; component vertices
edge edges ; border seam loop
texture map image bitmap ; material picture
image picture bitmap photo pic img ; texture frame
material shader surface_look ; texture look appearance surface
shader material ; shading program
shading shader look ; material surface
look appearance style ; shading material
keyframe key animate set_key ; animation frame pose
animation motion anim ; keyframe movement clip animate
animate animation keyframe ; move
keyframe key ; curve
fcurve animation_curve graph_editor function_curve ; curve easing tangent interpolation
easing ease interpolation tangent ; curve smooth
timeline time_line time_range playback_range frame_range ; time frame range playback
frame_range time_range shot_length start_and_end_frame ; timeline
frame_rate framerate fps frames_per_second ; speed timing
play playback preview ; run start
playblast viewport_preview preview_render flipbook opengl_render ; preview capture viewport
screenshot screen_shot screen_grab snapshot capture screen_capture screengrab print_screen take_a_picture ; image viewport grab thumbnail
thumbnail preview_image icon ; screenshot preview
light lamp lighting light_source ; illumination illuminate
lighting illumination ; light lamp
hdri environment_map environment_light dome_light skydome ibl sky_light skylight ; environment world sky
sun sunlight daylight directional_light ; sky
shadow shadows ; light occlusion
exposure brightness ; tone light gain
brightness luminance exposure ; levels value contrast brighten darken
brighten lighten make_brighter ; brightness exposure levels
darken make_darker ; brightness exposure shadow burn
contrast levels curves ; brightness tone
saturation vibrance vividness ; hue color
hue tint color_shift ; color saturation
color colour ; tint hue rgb paint swatch
color_correction colour_correction color_grade grade grading color_grading ; levels curves color hue
desaturate black_and_white grayscale greyscale monochrome ; saturation color
invert negative reverse ; flip
rig skeleton armature ; bones joints bone joint
rigging rig ; skeleton skin control
skeleton armature rig ; bone joint
bone joint ; skeleton armature
skin skinning bind weight_paint weighting ; weights weight deform rig
weights weighting skin_weights influence ; paint skin bind
blendshape blend_shape morph morph_target shape_key shapekey ; facial target deform
ik inverse_kinematics ik_handle ; solver chain
fk forward_kinematics ; chain
constraint constrain constrained ; parent follow aim track
look_at aim point_at track_to ; constraint target orient
controller control ctrl ; rig handle
retarget transfer_animation ; motion animation
mocap motion_capture bvh ; animation retarget
pose posture ; keyframe position
duplicate copy clone replicate ; instance array
copy duplicate clone ; paste
instance reference ; copy duplicate
array scatter distribute ; duplicate instance repeat copies clone
scatter distribute sprinkle instance_on_points copy_to_points ; populate array random
mirror flip reflect symmetry symmetrize ; symmetrical
flip mirror reverse ; invert
reverse invert backwards ; flip
move translate transform
rotate turn transform
scale resize transform
list enumerate what_is_in what_s_in whats_in which_are_in ; objects query get
move translate position reposition shift relocate ; transform location offset place
rotate turn spin orient ; rotation transform angle orientation
rotation orientation angle ; rotate
scale resize enlarge shrink ; size transform bigger smaller
resize scale change_size ; size dimension
size dimension dimensions resolution ; scale width height
resolution size image_size ; pixels quality
transform transformation ; move rotate scale translate position matrix
position location placement coordinate coordinates ; move translate transform
location position place ; where
pivot origin pivot_point anchor center_point ; center centre
align line_up snap ; distribute arrange match
snap magnet ; align grid
arrange organize sort order layout ; align distribute tidy
center centre middle ; pivot align
group organize put_together ; parent collection hierarchy folder
ungroup dissolve_group ; separate parent
parent attach link ; child hierarchy group constraint
unparent detach unlink ; parent
hierarchy tree outliner outline scene_graph structure ; parent child list
collection group folder layer ; set
folder directory path ; file
layer layers ; group level
list enumerate show_all what_are ; get query show find
get query fetch retrieve read ; list show inspect return info
find search locate look_for look_up ; query filter select list
inspect examine info details describe ; get query analyze properties
info information details statistics stats metadata about ; describe report summary
statistics stats count counts polycount ; info number report
count number how_many ; statistics total
select pick choose highlight ; selection selected
selection selected ; select
deselect unselect clear_selection ; selection select
hide make_invisible turn_off ; visibility show hidden
show unhide reveal make_visible turn_on display ; visibility list
visibility visible hide show ; display hidden
isolate solo ; hide show
lock freeze protect ; unlock
unlock unfreeze ; lock
freeze_transformations apply_transform reset_transform zero_out ; transform freeze
rename name retitle relabel call ; title label
name title label ; rename
set change assign modify edit adjust update ; tweak configure apply alter
change modify edit alter adjust ; set update replace
adjust tweak tune fine_tune ; set change correct
edit modify change ; update adjust
update refresh sync ; reload set change
refresh reload update ; redraw
replace swap substitute exchange switch_out ; change relink
apply assign attach put_on ; set use add
assign apply attach ; set connect bind
connect link wire plug hook_up ; attach join relation
disconnect unlink unplug ; break detach remove
link connect reference ; attach relationship
reference referenced xref proxy link_file ; external link
relink repath remap_path fix_paths missing_files ; path replace texture missing
attribute property parameter param setting channel ; value field option
property attribute parameter setting ; value
parameter attribute param property knob ; value setting option argument
setting settings preference preferences option options config configuration ; parameter property
node op operator ; graph network
network graph node_graph node_tree ; nodes
expression formula driver driven script ; code
driver driven_key set_driven_key expression ; drive
run execute eval evaluate launch ; start script play perform invoke
execute run eval ; script code command
script code snippet macro ; python program command
python py ; script code
command action operation ; menu run
plugin plug_in addon add_on extension module package ; install enable
install add_on setup ; enable plugin package
enable activate turn_on switch_on ; on show start toggle
disable deactivate turn_off switch_off mute ; off hide stop toggle
mute silence disable ; bypass
bypass mute disable ; skip
toggle switch ; enable disable
start begin launch run ; play
stop halt end abort ; cancel quit pause exit leave
cancel abort stop ; interrupt
pause hold ; stop
extrude pull_out push_pull ; inset face
bevel chamfer round_edges round_off rounded ; edge corner smooth fillet
fillet round bevel ; chamfer
inset offset_face ; extrude
subdivide subdivision tessellate refine ; smooth divide catmull turbosmooth turbo
smooth soften relax ; subdivide polish average
sharpen crisp unsharp ; detail focus filter
decimate reduce simplify optimize lower_polycount poly_reduce polyreduce retopologize ; polycount lod low lowpoly polygons proxy
lod level_of_detail levels_of_detail ; decimate reduce
remesh retopologize retopology retopo quadrangulate zremesh ; mesh topology decimate voxel
triangulate convert_to_triangles ; triangle tri
boolean csg union subtract intersect difference combine_solids cut_out ; cut merge
combine merge join unite attach weld fuse ; union collapse
merge combine join ; weld blend flatten
weld merge_vertices fuse merge_by_distance ; vertex merge
separate split detach break_apart explode ; divide extract shatter
split cut divide slice ; separate trim razor
cut slice trim split knife ; razor clip
trim shorten cut ; clip crop
fracture shatter break break_apart voronoi destruction ; destroy split pieces crack
bridge connect_edges ; fill
fill close_hole cap ; hole flood bucket paint
hole gap opening ; fill close
clean_up cleanup clean tidy repair fix ; remove unused optimize
fix repair correct heal ; clean
unused orphan unreferenced dead junk ; purge clean remove reduce
normals normal face_direction ; smooth shading flip harden
uv uvs uv_map texture_coordinates uvmap ; unwrap layout map projection
unwrap unfold flatten_uvs uv_unwrap uvs ; uv project layout
pack pack_uvs ; layout arrange island uv archive
project projection planar ; camera uv
project workspace scene_folder ; file settings
sculpt sculpting carve ; brush
brush paintbrush ; paint stroke sculpt
paint draw brush ; stroke color
stroke line brush_stroke ; paint outline
outline contour silhouette border ; stroke edge hierarchy
displacement displace bump height_map heightmap ; normal noise
noise turbulence random randomize jitter ; perturb grain displacement
grain noise film_grain ; texture
random randomize jitter vary variation ; seed noise
deform deformer bend twist warp ; lattice modifier distort
warp distort liquify ; deform bend
lattice ffd cage ; deform
modifier deformer effect ; stack
curve spline nurbs path bezier line ; stroke
path curve spline route ; motion directory
sweep loft extrude_along ; path curve
revolve lathe ; spin
sphere ball globe orb ; primitive circle
cube box block ; primitive
plane grid ground floor ; primitive flat
cylinder tube pipe ; primitive
torus donut doughnut ring ; primitive
primitive basic_shape ; cube sphere cylinder plane shape
circle ring ellipse ; round
rectangle square box ; shape
`;

/** More groups of words that mean the same, in the form of `synonymRows`: effects, media, games, everyday speech. */
export const moreSynonymRows = `
text type typography title lettering ; font words caption string
font typeface ; text
caption subtitle subtitles ; text title
simulate simulation sim dynamics physics ; solve solver run
physics dynamics rigid_body ; simulation collision
rigid_body rbd rigidbody rigid ; physics dynamics
cloth fabric garment ncloth ; simulation
fluid liquid water flip ; simulation
smoke fire pyro explosion gas ; simulation volume fluid
particle particles emitter vfx niagara ; emit system
emitter source emit ; particle
hair fur groom grooming xgen strands ; simulation
terrain landscape heightfield ground ; mountain environment
volume vdb fog voxel ; openvdb smoke density
cache alembic bake ; simulation abc write
collision collider collide ; physics
force force_field wind ; field physics simulation
gravity ; force physics simulation rigid
composite comp compositing merge layer_over ; blend over layer
blend mix blend_mode ; merge opacity
opacity transparency alpha transparent ; blend fade
mask matte roto rotoscope ; selection alpha stencil cutout
keying chroma chroma_key chromakey green_screen greenscreen blue_screen bluescreen keyer keylight ultra_key ; matte mask alpha key despill
remove_background background_removal cut_out ; matte mask alpha keying roto
background backdrop ; remove sky plate
blur soften gaussian defocus ; smooth filter
defocus depth_of_field dof bokeh ; blur focus
focus sharp depth_of_field ; lens
motion_blur shutter ; blur
denoise noise_reduction remove_noise degrain ; noise clean
glow bloom halo ; light effect flare
crop trim_canvas cut ; resize reformat canvas
reformat resize change_resolution ; scale crop
canvas artboard document ; image page
document file scene ; doc project
stabilize stabilise steady ; track shake
track tracking matchmove match_move camera_track ; solve follow stabilize point
effect fx filter ; vfx plugin
filter effect ; search
transition fade dissolve crossfade cross_fade wipe ; cut
fade dissolve ; opacity transition
clip footage shot media video ; movie sequence
video movie film mp4 quicktime ; footage clip animation
footage clip plate ; video media sequence
sequence edit timeline shot_list ; cut order
composition comp ; precomp canvas
precomp precompose nest ; group composition
audio sound music song volume_level ; wav soundtrack
volume loudness ; audio level gain
marker bookmark cue ; label timeline
proxy low_res stand_in ; placeholder
placeholder stand_in dummy ; proxy null locator
locator null empty helper ; group dummy
level map world scene ; stage
world level environment ; scene
scene level world ; file document stage shot
actor entity gameobject game_object object ; character
object item thing entity actor ; mesh model element
character avatar figure person ; rig actor
prefab blueprint template ; asset preset
blueprint visual_script ; prefab script
template preset ; default
preset template saved_settings ; settings
component part ; module vertex
asset content resource ; file library
library catalog asset_browser content_browser ; asset
game play_mode play_in_editor pie ; test run
package build cook compile ship ; deploy executable publish
compile build ; generate
publish release submit deliver ; export share
nav navmesh navigation ; path mesh ai
ui interface hud widget user_interface ; menu panel window
window panel dialog editor ; ui
menu shelf toolbar ; ui command button
notification message alert toast ; show dialog
log logs console output_window messages ; history error
error errors problem problems issue issues ; warning check validate
check validate verify test sanity_check inspect ; error
validate check verify ; test
measure distance length ruler ; size calculate bounding
distance length gap ; measure
bounding_box bounds extents bbox ; size dimension
calculate compute work_out ; evaluate measure analyze
analyze analyse examine ; inspect statistics
compare diff difference ; match
convert transform_to turn_into change_format ; export format bake
format file_type extension ; convert
compress zip archive shrink ; optimize pack reduce size
optimize improve_performance speed_up ; reduce clean faster
performance speed profiling profile ; fps optimize slow
profile benchmark timing ; performance
memory ram vram ; usage
status state health progress ; info
version release build_number ; info about
history undo_stack ; undo version construction
backup autosave auto_save increment ; save version copy
increment version_up ; save version
unit units scale_unit ; measurement
color_space colorspace ocio color_management aces lut ; profile
lut look_up_table ; color
pass aov render_layer render_element ; output layer
render_layer view_layer render_setup ; pass aov
samples sampling quality ; noise render
quality resolution ; samples settings
queue farm deadline batch ; render job submit
batch bulk many all_at_once ; multiple queue
job task ; queue
denoiser denoise ; noise
engine renderer render_engine ; arnold cycles eevee vray redshift
renderer render_engine ; engine
stage usd openusd ; layer
usd openusd universal_scene_description ; stage
fbx filmbox ; export import
obj wavefront ; export
abc alembic ; cache
gltf glb ; export
psd photoshop_document ; layers
exr openexr ; image
print 3d_print stl ; export
collect gather consolidate package_up ; pack archive
share send upload ; publish export
download get_from_web ; import fetch
comment note annotation remark ; sticky
tag label keyword ; metadata category
sort order reorder rearrange ; arrange
reorder rearrange change_order move_up move_down ; sort stack
zoom frame_selected fit_view focus_on ; view camera
orbit tumble ; camera rotate turntable
turntable spin_around 360 ; orbit camera rotate
lens focal_length fov field_of_view ; camera
aspect_ratio aspect ; resolution size
wireframe wire ; display shading
sky atmosphere ; environment sun
fog mist haze atmosphere ; volume
rain snow weather ; particles
water ocean sea ; fluid
tree plant foliage vegetation ; grass scatter
grass foliage ; scatter hair
crowd agents ; simulation
wear edge_wear scratches ; mask dirt generator
dirt grunge rust ; mask wear generator
roughness glossiness glossy shininess shiny ; specular reflection material
metallic metalness metal ; material
reflection reflective mirror_like ; specular
emission emissive glowing ; light glow
color_id id_map ; mask
ambient_occlusion ao occlusion ; bake map
curvature convexity ; map bake
normal_map normals ; bake bump texture
high_poly highpoly ; bake
smart_material material_preset ; preset
decal sticker ; texture
stencil mask ; projection
tile tiling seamless repeat ; pattern uv
pattern repeat tile ; texture
gradient ramp ; color
swatch palette ; color
threshold cutoff clip ; level
histogram levels ; statistics
straighten level_horizon deskew ; rotate
perspective vanishing_point ; camera warp
retouch heal clone_stamp remove_blemish ; repair
slow_motion time_remap retime speed_ramp timewarp slow_down speed_up ; speed duration
speed rate velocity ; time
duration length time ; frames
loop cycle repeat ; extrapolate
cycle loop ; extrapolation
ghost onion_skin onion_skinning ; frame
mark tag label ; marker
walk locomotion ; cycle
symmetry symmetrical mirror ; 
lightmap baked_lighting light_map ; bake
static fixed ; bake
kinematics ik fk ;
glue stick fuse stitch weld ; merge combine attach join
fewer less lower ; reduce decimate simplify decrease
decrease lower reduce less ; smaller down
increase raise more higher boost ; add up bigger
bigger larger ; scale enlarge resize
smaller tinier ; scale shrink resize reduce
sharper sharpness sharp sharpen crisper ; unsharp focus
softer soft soften ; blur smooth feather
brighter bright brighten ; brightness exposure levels
darker dark darken ; brightness exposure shadow
smoother rounder ; smooth subdivide
faster quicker ; speed optimize retime
slower slowly slow ; speed retime stretch remap
blurry blurred out_of_focus ; blur defocus
feather soft_edge ; mask selection blur
chop slice ; cut split trim
stretch squash ; scale deform
wobble shake jiggle shaky ; stabilize noise jitter
see look watch preview ; view show play
running run ; play start
who_is_using what_uses where_is_it_used used_by dependencies dependency ; references reference usage
usage used ; references
junk leftover leftovers garbage ; unused purge orphan clean
person people human body ; character subject avatar object figure
vanish disappear ; hide remove
fill_in content_aware inpaint heal ; fill generative retouch
generative ai ai_generated ; generate
tidy neat clean_up ; layout arrange organize
layout arrange auto_place ; graph organize
follow stick_to ; constraint track parent path
follow_the_bones deform_with_bones attach_to_skeleton ; skin bind weights
stop_motion step stepped ; hold
hold freeze_frame still ; pause frame
wrap wrap_around shrinkwrap conform project_onto ; snap deform
stamp print burn ; bake
bones rig skeleton ; skin
finish complete done ; end save
compare_versions ; version
metadata info ; tag attribute
go_to jump_to seek scrub set_current_frame ; frame time playhead current goto transport
playhead current_frame current_time time_slider ; frame time
frame time ; timeline
who what ; info
cast throw ; shadow
bend curl ; deform twist
slope angle tilt ; rotate
spread_out space_out ; distribute scatter
thicken thickness solidify shell ; extrude
shell solidify thicken ; extrude
hollow empty_inside ; shell boolean
draft draft_quality low_quality ; preview proxy
collapse apply_modifiers flatten ; merge stack
flatten collapse merge_visible merge_down ; layers combine
rasterize convert_to_pixels ; flatten render
vector svg illustrator ; path curve shape
import_footage bring_media ; media clip
relink_footage offline_media missing_media reconnect ; relink
media_encoder adobe_media_encoder ; export encode queue
subtitle caption ; text
teleport jump ; move
health status ping ; info
enter go_into start ; play
leave exit ; stop
pack bundle ; collect archive
open_port server socket ; connect
gamma exposure ; levels
temperature white_balance warmer cooler ; color
clone stamp ; copy retouch
smudge smear ; brush
dodge burn ; lighten darken
resize_image image_size ; scale resolution
canvas_size ; canvas resize crop
`;

/** More groups of words that mean the same, in the form of `synonymRows`: the trades of the field and their idioms. */
export const fieldSynonymRows = `
quad quads quadrangle ; remesh retopology topology
clone cloner replicate ; duplicate copy array mograph
mograph cloner ; clone effector
radial circular in_a_circle around_a_circle ; array cloner polar circle
scatter populate plant strew ; distribute foliage instances
drape fall hang ; cloth garment simulate gravity
garment clothes clothing dress apparel outfit ; cloth fabric pattern
fabric textile ; cloth material
sew ; stitch seam garment thread
stitch stitching topstitch ; sew seam thread
zip zipper ; garment
avatar mannequin ; character body figure
transfer copy_over carry_over ; retarget copy convert
send transmit ; transfer export submit
shaky handheld camera_shake unsteady wobbly ; stabilize stabilizer
stabilizer stabilize stabilise ; smooth
wiggle shake jitter ; random noise expression
speech voice dialogue dialog spoken talking speak narration vocal voiceover ; audio captions
transcribe transcript speech_to_text ; captions subtitle
captions subtitle subtitles srt ; transcript text
volume gain loud louder quiet quieter level_of_audio ; audio loudness
duck turn_down ; lower volume audio reduce
normalize normalise level_out ; loudness gain
noise_removal hum hiss background_noise ; denoise noise audio isolate
slow_motion slow_down slowmo retime speed_ramp time_stretch ; speed stretch remap
time_remap retime time_stretch timewarp ; speed stretch reverse
freeze_frame hold_frame still_frame ; freeze hold remap
reverse play_backwards backwards ; speed
localization localisation localize l10n i18n internationalization translation_keys ; translate language locale strings
translate_text ; localization language
dark_mode light_mode theme ; mode variable
pen pen_tool ; path draw bezier
bezier bezier_curve anchor_handles ; path curve spline anchor draw
trace vectorize vectorise raster_to_vector image_trace ; vector bitmap
outline_text text_to_outlines ; outlines type
separate_file separate_files individual_files own_file one_file_each ; export layers split
anti_alias antialiasing aa ; samples smooth
morph_target morph blend_shape ; shape pose
lipsync lip_sync mouth phoneme viseme ; audio voice
facial expression_rig ; face blendshape
gait walkcycle walk_cycle ; cycle foot
take version_of_animation ; clip
ragdoll ; physics skeleton
retopologise retopologize retopology retopo ; remesh zremesher quad
sculpt_detail fine_detail high_frequency ; displacement project
hollow hollow_out shell ; thickness wall
3d_print 3d_printing print_3d printable ; stl print hollow
lathe revolve spin_profile ; revolution
crease sharp_edge hard_edge ; edge subdivision
cad step iges nurbs brep ; solid import export
stp step ; cad
dwg dxf autocad ; drawing import cad
blueprint_drawing technical_drawing shop_drawing ; drawing dimension 2d
section cross_section cutaway section_view ; clipping plane
measure how_long how_far how_wide ; distance length
how_big how_large ; size dimension volume measure bounding
cubic litre litres liter liters ; volume
area volume_of centroid ; analyze mass
point_cloud lidar scan photogrammetry ; points import
sun_position time_of_day daytime sunset sunrise dusk dawn evening morning noon night ; sun sky lighting
gi global_illumination indirect_light bounce_light ; lightmap lighting bake
light_linking link_lights include_exclude ; light link
ibl image_based_lighting ; hdri environment dome
f_stop fstop aperture ; camera exposure dof
shutter_speed shutter ; camera exposure
aov aovs render_pass render_passes render_element arbitrary_output_variable ; output channel layer
cryptomatte id_matte object_id ; matte mask
live_render ipr interactive_render progressive_render ; preview render
render_to_disk final_render batch_render ; render output
contact_sheet ; images layout
nav_mesh navmesh navigation_mesh pathfinding walkable walk_around ; navigation agents bake
npc enemy enemies ; agent character ai
playmode play_mode ; play game run
leave_play exit_play quit_play stop_playing ; playmode stop
console_output print_output stdout ; log console errors
compile_error compiler_error build_error ; errors script compile
package_game ship_game make_a_build executable standalone ; build export player
android ios apk mobile ; build platform
lightmap lightmaps light_baking bake_lighting bake_lights ; lighting bake static
sprite sprites ; 2d image texture
sprite_sheet spritesheet flipbook_texture atlas ; sprite frames slice
tile_map tilemap tileset tile_set ; tiles 2d grid
singleton autoload global_script ; register
signal event callback ; connect emit
key_binding keybinding input_mapping shortcut hotkey controls ; input action
collision_shape hitbox collider bounding_shape ; physics trigger
terrain heightfield heightmap hill hills mountain ; landscape sculpt
erosion erode weathering ; terrain heightfield rain
level_streaming world_partition ; level load
version_control source_control perforce p4 git svn ; checkout submit
check_out checkout ; source lock
commit check_in submit_changes ; submit source
who_uses what_uses used_by referenced_by ; references dependency find
artboard art_board ; canvas frame
design_token design_tokens tokens ; variables styles
auto_layout stack flexbox ; layout padding gap
component_variant variants ; component set
mockup wireframe_ui prototype ; frame
drop_shadow shadow_effect ; shadow effect
frosted_glass glassmorphism backdrop_blur ; blur background
press_ready prepress preflight ; print pdf
spot_color pantone ; swatch
crop_marks bleed ; print pdf
kerning tracking_text leading ; text font spacing
clipping_mask clip_mask ; mask clip
soft_edge feathered ; feather
magic_wand select_similar ; select color
bucket paint_bucket ; fill flood
color_wheels lift_gamma_gain three_way ; primary grade color
color_match match_color shot_match ; match reference
secondary_correction hsl_key qualifier ; isolate hue
power_window vignette_mask ; window mask
scopes waveform vectorscope parade ; histogram
conform relink reconnect ; media
offline went_offline missing_media red_media ; relink locate media
rough_cut assembly_edit ; timeline append
jump_cut cut_point edit_point ; cut razor
multi_cam multicam multi_camera ; angle sync
picture_lock turnover hand_over handover hand_off ; export collect consolidate
vertical portrait_format social_media reels tiktok shorts ; reframe aspect
watermark logo_overlay ; logo overlay decal
tileable seamless make_it_tile no_seams ; tile texture
edge_damage worn weathered scuffed ; wear dirt smart_mask
substance sbsar sbs ; material graph
expose promote publish_parameter ; parameter input interface
wire_up hook_up noodle patch_in ; connect node
hda digital_asset ; asset create
vex wrangle ; attribute expression
pdg tops ; cook batch
pyro smoke fire flames flame ; simulation explosion
flip_sim fluid_sim liquid liquids ; fluid water simulation
splash spray foam ; fluid particles
swell waves ; ocean water
rigid_bodies rbd bullet ; physics solve fracture
shards fragments chunks debris ; fracture voronoi pieces
everything_in show_everything show_me_everything what_is_in list_all list_everything ; list hierarchy objects
duplicate_objects make_copies copies_of ; duplicate clone array
on_top_of_each_other overlapping coincident ; merge distance doubles
put_in_place lay_out ; place arrange
bigger_canvas larger_canvas extend_canvas ; canvas resize
larger_image upscale enlarge_image ; scale image resize
somebody someone ; person character
feedback review ; comment note
pull_request changelist ; submit
warning warnings ; error check validate
heavy slow_nodes bottleneck ; performance profile time
`;

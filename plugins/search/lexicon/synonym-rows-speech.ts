/** Everyday words for the words of the field, in the form of `synonymRows`: what people say who have never read a manual. */
export const speechSynonymRows = `
outwards outward push_out stick_out pull_outwards ; extrude inflate
inwards inward push_in sink_in ; inset
space_between room_between ; gap spacing distance bridge
cling hug snugly tightly tight_around ; wrap shrinkwrap fit
lay_flat unroll unpeel peel flattened_out ; unwrap unfold uv
reach_for reach_toward ; ik constraint
red blue green yellow orange purple pink brown turquoise ; color
look_through through_the_camera ; active camera
half_transparent semi_transparent translucent ; opacity transparency
multiply overlay additive color_dodge soft_light ; blending mode blend
real_geometry actual_geometry real_mesh editable_mesh ; editable collapse convert
called named with_the_name ; name find list
only_this just_this only_that one_part ; isolate solo
pore pores wrinkle wrinkles ; alpha detail displacement
protect shield guard ; mask lock freeze
crevice crevices recess recesses valleys deep_areas ; cavity mask curvature
render_farm farm computers machines_of_the_studio ; network distributed
alternative variant another_version different_version ; take variation variant
untouched without_changing unharmed ; non_destructive take layer
teddy plush stuffed_animal ; fur hair
realtime real_time live_input ; live stream device
t_pose tpose a_pose rest_pose bind_pose neutral_pose ; stance pose
homepage web_page ; web export svg css
ease_in ease_out slow_in slow_out start_slowly stop_slowly ; easy ease easing
remark memo reminder note ; comment marker annotation
equally evenly even ; normalize distribute
finished ready_yet done_yet finished_yet ; status progress job
dashed dotted ; dash stroke
arrow arrows arrowhead ; stroke
retina hidpi double_size ; scale export
color_scheme colour_scheme palette colour_palette ; recolor swatch colors
tap taps tapped click clicks clicked touched ; interaction trigger event signal
next_screen next_page ; prototype link
adapt adapts responsive resize_itself ; auto layout constraints
wording texts ; text content characters
menu main_menu start_screen hud user_interface ; widget ui interface
fastener ; zipper button
trousers pants jeans skirt sleeve collar shirt jacket coat blouse ; garment pattern
xs xl size_range clothing_sizes ; grade sizes
mould mold mould_release ; draft
machinist workshop cnc milling machine_shop ; step iges
slider knob dial ; parameter
physically_correct plausible physically_right ; pbr validate
pixels ; resolution
temporarily for_a_moment for_now ; bypass disable mute toggle
throw_out kick_out ; prune remove
reusable own_tool own_node ; asset digital
paint_over touch_up retouch ; paint clone heal
smear smudge ; blend brush
pimple blemish spot_removal scratch_removal ; heal clone retouch
red_eye skin_smoothing ; retouch
mood atmosphere ambience ; lighting grade look
moody cinematic ; grade color lighting
foggy hazy misty haze mist ; fog volume atmosphere
steam vapor vapour ; smoke pyro
mud lava honey syrup slime ; fluid viscosity
sparkle sparkles glitter ; particles glow
rope chain cord ; curve dynamics
spring springy ; dynamics constraint
fold folds wrinkly crumple ; cloth simulate
tear rip torn ; cloth cut
knit woven weave ; fabric pattern
windy breezy gust ; wind force
push_away repel attract magnet_force ; force field
swarm flock birds fish ; particles crowd
flow flowing stream ; fluid
drip dripping droplets ; fluid particles
bubble foam ; particles fluid
mannequin dummy_body ; avatar
walks walker ; walk cycle
gesture gestures acting ; animation clip
dance dancing ; animation motion
stand standing_pose ; pose
limb arm leg hand finger ; bone ik
wrist elbow knee ankle ; joint bone
twist_bone candy_wrapper ; skin weights
eye_direction eyes gaze ; aim constraint
puppet marionette ; rig control
bendy rubber_hose ; bend deformer
pinch bulge swell ; deformer
dent hollow_area bump_in ; sculpt displacement
spiky spikes thorns ; extrude
pipe pipes tube hose cable wire_cable ; sweep curve
stairs staircase steps ladder ; array
fence railing row_of ; array duplicate
brick bricks tiles ; pattern texture
window_opening doorway ; boolean
roof facade floor_plan ; building architecture
screw bolt thread helix spiral ; curve revolve
gear cog ; array radial
coin medal engraving engrave emboss ; displacement boolean
logo_3d lettering ; text extrude
gem crystal faceted ; polygon
pebble cobble rock stone boulder ; scatter
silhouette shape_of_object ; outline
sunbeam sunbeams god_rays light_rays ; volume light
candle fireplace torchlight ; light point
neon led ; light emission
mirror_ball chrome reflective reflection shiny_metal ; metallic roughness reflection
wet damp ; roughness gloss
matt dull_surface ; roughness
rough_surface gritty ; roughness bump noise
skin_shader waxy milky ; subsurface
see_through_glass glassy ; glass refraction transmission
frosted ; blur roughness
stained dusty grimy muddy ; dirt grunge mask smart
scratched scuffs ; wear mask scratch
peeling_paint chipped ; wear mask edge
patina moss mossy ; mask generator dirt
bandwidth download upload ; transfer export
zip_file archive_file backup ; archive collect save
broken_link dead_link ; relink missing
autosave crash_recovery recovered ; save restore
which_files what_files ; list
colleague coworker teammate client_review ; share export comment
approve approval sign_off ; review status
deadline due assigned_to ; task
hand_in deliver delivery ; export submit
naming_convention naming ; rename
duplicate_names same_name ; rename
locked_by checked_out_by ; lock checkout
overwrite_old ; save replace
newest latest up_to_date ; version update reload
outdated stale ; update refresh reload
command_line terminal shell ; command script run
formula math equation ; expression
automatic automatically automate ; auto script
by_hand manually manual ; paint
guess estimate ; automatic calculate
random_colors colour_variation ; random color
zoom zoom_in zoom_out closeup close_up ; scale camera view focal
pan_across dolly truck_shot ; camera move
wide_angle telephoto fisheye ; lens focal camera
tripod handheld_camera ; camera shake
bird's_eye from_above top_down ; view camera orthographic
split_screen picture_in_picture ; scale position layer
letterbox black_bars widescreen ; crop aspect
slideshow photo_series ; sequence images
intro outro opening_titles credits end_credits ; title text
lower_third name_tag ; title text
countdown timer timecode_burn ; text expression timecode
karaoke lyrics ; text captions
voice_over narrator commentary ; audio record
echo reverb hall ; audio effect
bass treble equalizer eq ; audio effect
beep click_noise pop_noise ; audio denoise
mono stereo left_channel right_channel ; audio channel
beat rhythm tempo ; audio marker
silence silent ; mute audio
music_bed background_music soundtrack ; audio music
old_film vintage retro sepia ; grade grain lut
warm warmer cosy ; temperature white balance
cold colder bluish ; temperature white balance
yellowish greenish tinted ; white balance tint
vivid punchy more_colorful colourful ; saturation vibrance
pale faded ; saturation contrast
milky_blacks crushed ; contrast levels lift
skin_tone skin_tones ; qualifier hue color
clipping overexposed_areas ; scopes exposure
picture_noise film_noise ; noise reduction denoise
soft_picture unsharp_image ; sharpen
double_image ghosting ; frame blending
choppy jerky jumpy ; frame interpolation proxy
interlaced comb_lines ; deinterlace
wrong_length too_long too_short ; trim duration
beginning begin_of start_of ; in point start
end_of ending ; out point end
before after_that afterwards ; order
chapter chapters ; marker
favorite favourites best_takes ; flag marker rating
sort_out sift ; filter select organize
leave_out skip ; exclude remove
put_together assemble ; combine sequence assembly
make_room ripple ; insert
page pages spread ; artboard layout
poster flyer brochure leaflet business_card ; document artboard print
wallpaper gift_wrap ; pattern tile
badge emblem crest ; logo shape
handwriting calligraphy ; brush text
curvy wavy wiggly_line ; curve smooth
straight straighten ; align rotate
thick_line thicker_line line_thickness line_width ; stroke weight
fat thin_line ; stroke weight
rainbow colour_transition color_transition ; gradient
shade_from fade_from ; gradient
drop_pipette eyedropper pipette ; color pick sample
cutout stencil ; mask clip
comic cartoon toon cel ; outline shader
sketch doodle scribble ; draw brush
ink inking lineart line_art ; stroke brush vector
tracing_paper lightbox light_table ; onion skin
flipbook flip_book ; frames animation
grid_lines guide guides ; grid ruler
fisheye_lens vanishing_point ; perspective
layers_panel stack_of_layers ; layers
put_underneath underneath beneath ; below order back
in_front on_top ; front order
form input_field checkbox dropdown ; component widget
popup dialog modal ; frame widget
tablet desktop_screen phone_screen ; frame artboard
accessibility colour_blind color_blind ; contrast
spacing margins margin ; padding layout gap
coins pickup collectible ; prefab trigger
health_bar score ; ui widget variable
respawn spawnpoint ; spawn
weapon sword gun bullet_hole ; mesh decal
enemy_ai behaviour ; navigation agent
door lever switch_in_game ; trigger animation
level_design map_design ; scene level
frame_drops fps_drop low_fps runs_badly ; profiler performance
memory ram leak vram ; profiler memory
loading_time load_times ; profiler bundle
draw_calls batching ; performance occlusion
crashes crashing ; errors log debug
bug bugs glitch ; error debug console
red_errors error_messages exceptions exception ; console errors log
unit_test automated_test ; tests run
store app_store play_store ; build export
`;

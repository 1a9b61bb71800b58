/** Plain speech for the words of the field, in the form of `synonymRows`: how things look, sound, move and go wrong. */
export const plainSynonymRows = `
turn_into make_into change_into ; convert
take_apart pull_apart ; separate detach explode
bring_back get_back ; restore undo revert
light_up ; light illuminate
fade_in fade_out ; fade opacity transition
fill_up ; fill
switch_between swap_between ; switch toggle
upside_down ; flip rotate
other_side both_sides left_to_right ; mirror symmetry
look_like looks_like same_look ; match look
see_through ; transparency opacity
shiny polished ; gloss roughness specular
bumpy ; bump normal displacement
dirty filthy ; dirt grunge mask
old aged ; wear weathering
rusty ; rust wear
cracked cracks ; fracture
glow glowing shine ; emission bloom
furry hairy ; fur hair
jagged stair_steps aliased ; smooth antialiasing
blocky pixelated ; resolution subdivide
grainy noisy ; denoise noise
flicker flickering ; deflicker smooth
washed_out flat_looking ; contrast levels
too_dark underexposed ; exposure brightness
too_bright overexposed blown_out ; exposure brightness
color_cast too_yellow too_blue ; balance temperature
crooked tilted ; straighten rotate align
messy untidy cluttered ; arrange layout clean
heavy bloated ; optimize reduce
broken damaged corrupt ; repair fix
inside_out ; normals flip
pink_textures purple_textures missing_textures ; relink textures path
lag laggy stutter ; performance profile
pull push ; extrude move
grow expand dilate ; increase enlarge
shrink contract erode ; decrease reduce
puff_up blow_up_balloon inflate ; balloon
carve dig ; sculpt subtract
raise lift ; terrain height up
pour spill ; fluid
blow breeze ; wind force
blow_up ; explosion enlarge
burn burning flames ; fire pyro
melt ; fluid deform
smile frown blink ; facial expression blendshape
talk talking sing ; lipsync mouth voice
swing dangle ; physics dynamics
roll ; rotate
forever endless endlessly infinite infinitely ; loop cycle repeat
back_and_forth ping_pong pingpong ; loop cycle
gradually smoothly ; ease smooth blend
suddenly instantly ; step
one_by_one letter_by_letter character_by_character ; animator sequence
draw_itself draw_on write_on reveal_line ; trim path stroke
pop_up ; show dialog
in_time in_sync lip_synced ; sync
out_of_sync line_up_audio ; sync align
quiet_down ; volume lower
too_loud too_quiet ; volume gain normalize
phone smartphone vertical_video ; vertical aspect
youtube vimeo upload_to ; export encode preset
web website browser ; svg gltf css export
on_paper ; print
blank ; empty new
spare extra superfluous ; unused
leftover_files ; unused purge
half double twice ; scale divide
middle halfway ; center
edge_of border_of outline_of ; border outline
corner corners ; radius bevel
hole_in drill punch ; boolean subtract cut
stick glue pin ; attach constraint
hang_on hold_on ; constraint parent
tie tied bind ; link attach
belong belongs ; parent group
rubber elastic squishy jelly ; soft body
wood wooden stone_wall brick ; material texture
bush bushes tree trees forest grass plants ; foliage vegetation scatter
crowd people_walking ; agents
flag curtain cloth tissue ; fabric simulate
weather storm ; rain snow
lamp bulb torch lantern ; light
beam spotlight spot_light ; light
dim dimmer ; intensity light
background_color backdrop ; background
fly_through flythrough ; camera path
top_view side_view front_view ; view camera
speech_bubble callout ; text
number_of amount quantity ; count
order_of sequence_of ; sort order
before_and_after side_by_side ; compare
password locked_file ; lock
more_polygons more_polys more_detail more_subdivisions higher_resolution ; subdivide divide subdivision resolution
fewer_polygons fewer_polys less_polygons lower_poly low_poly ; decimate reduce
tight tightness loose snug ; fit stress
bounce bouncy ; dynamics physics rigid
explode explodes exploding ; explosion fracture destruction
is_it_done how_far_along still_running still_rendering ; status progress
pressed press keypress key_press space_bar button_press ; input action key
german french spanish italian portuguese japanese chinese korean russian ; language locale translate localization
centimetres millimetres centimeters millimeters inches feet meters metres ; units
player protagonist hero ; character target
the_same identical equal ; match copy
different_size other_size ; resize scale
different_color other_color ; color recolor
different_format other_format another_format ; convert export
another_program other_program other_application another_application other_software ; export send
from_disk from_file ; import open
to_disk to_file ; export save write
`;

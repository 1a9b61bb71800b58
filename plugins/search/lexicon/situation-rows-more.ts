/** Further situations of every trade, in the form of `sceneSituationRows`. */
export const moreSituationRows = `
push pull move drag & face faces polygon & out outwards in along ; extrude
face faces shade shading surface & inward inwards weird strange dark point wrong ; normals consistent recalculate
edge edges loop & extra more another add insert around & arm leg body ring mesh ; loop edge cut insert
gap space opening & edges edge loops & faces connect close fill ; bridge loops connect
clothes armor surface mesh & tight tightly cling onto hug fit wrap & body mesh surface skin ; shrinkwrap wrap project
lay flat flatten unfold unwrap peel & model mesh object texture paint ; unwrap uv
seam seams & cut mark where place uv unwrap ; mark seams uv
uv uvs islands shells & arrange fit tight square space overlap ; pack uv islands layout
pole post fence window column step stair tree chair & times repeat copies row many ; array duplicate clone
modifier modifiers parametric procedural generator & real apply mesh polygons geometry permanent fixed editable ; collapse editable apply stack
split separate detach break own & face faces part polygons piece & object own new ; detach separate
object objects lights lamps & called named name starting & show find list @see ; list find name
only just solo alone & part object piece mesh sculpt subtool layer & @see work show hide ; isolate solo visible
stamp texture image pattern pore & brush sculpt skin ; alpha brush
both sides same symmetric & sculpt paint brush model ; symmetry mirror
protect shield cover & brush paint sculpt area areas ; mask
deep crevices recesses cavities holes & mask protect area areas paint ; cavity mask
puff blow inflate swell fatter thicker & surface sculpt arm area model ; inflate
smooth relax polish iron & sculpt surface lumps bumps lumpy ; smooth relax
vertex colors paint & texture map turn convert bake ; texture vertex paint
pose bend & whole figure sculpt character parts ; pose transpose
clone clones copies & only middle some near inside area move ; field falloff effector
falloff area region sphere & affect influence strength effect ; field falloff
version variant variation alternative option & shot scene same original keep try ; take new
camera view & between smoothly blend morph another next ; camera blend morph
hand arm leg foot step & left & right ; mirror flip animation
back return reset & pose rest neutral stance t ; stance pose reset
walks walk clips clip motions & after next between join & jump pop without smooth ; blend clips
live stream real directly & suit glove face motion capture tracking device ; live device stream
character skeleton & define setup prepare map standard & bones joints names humanik ; characterize skeleton
bake plot transfer & animation control constraints & bones skeleton keys keyframes rig ; bake plot
key keys keyframe keyframes & soft smooth start stop gentle slow ease natural ; easy ease
value size brightness property slider & depend depends follow control drive other another expression ; driver expression drive
effect color colour look & all every several & layers layer below tracks clips ; adjustment layer
only inside within & video picture image texture & letters text shape word ; matte track clipping mask
footage clip image file asset & new newer another other version everywhere & use swap exchange update ; replace footage
animation motion & website web browser app json ; export lottie web
text object title 3d & filmed real footage room floor ground street & put insert place stand ; camera track solve 3d
from one & clip shot & next another fade dissolve soft ; transition dissolve
several many two & clips layers shots & one together single group move ; nest compound precompose
sound audio picture & separate unlink apart independent own & clip video ; unlink link clips
note remark comment reminder & timeline point frame clip time here ; marker comment
film look lut file & color apply cube ; lut
same equally even constant & loud volume level & whole film all clips ; normalize loudness
render export job encode & finished done ready yet progress far long status percent ; status job progress render
bright brighten darken color & only face sky part area spot & actor person window shot video ; window mask isolate
track follow move & window mask face circle shape & actor person face moving ; track window
scopes levels exposure & read check legal clipping measure waveform ; scopes waveform
line stroke border & dashed dotted arrow thick thin weight ; stroke dash
shape shapes & one together single unite combine ; unite pathfinder boolean compound
icon icons asset assets & size sizes retina double screens ; export screens
color colour colors scheme palette & another other new swap exchange drawing illustration whole ; recolor
tap tapped click button & next open screen page goes go ; prototype link interaction
spacing gap padding items list & adapt automatic itself resize dynamic ; auto layout
wording text texts labels label & change all once many replace ; text content
instance prefab & save back original changes changed ; apply overrides prefab
log console output message messages & red error errors warning read any ; console log errors
button signal event & click clicked pressed & call function method run happens ; signal connect event
menu screen hud window panel & game start pause player main ; widget ui
sizes size smaller larger & dress trousers shirt jacket pattern garment same ; grade sizes
mould mold casting injection & part come out release ; draft
smooth soft continuous & surface surfaces & between two join transition ; blend
measurement measurements length size sizes & drawing plan sheet ; dimension
machine machinist factory workshop cnc supplier & part file model send ; step export
user users artist customer client & change set control choose & slider color colour value material ; expose parameter
correct physically plausible valid range real & material colors colours metal values ; validate pbr check
pixel pixels resolution sharper bigger 4k 2k 8k & texture map material document ; resolution size
turn switch off skip ignore & node effect layer modifier moment ; disable bypass mute
everything all rest & but except only keep & scene graph tree branch ; isolate prune keep
outside around rest & selection selected & cut remove away delete ; crop selection
softer soft fade blur & edge border & selection mask ; feather
bigger smaller wider narrow expand larger & selection ; grow shrink selection
save store write disk & simulation sim geometry result & fast again play playback recompute ; cache disk
own custom new reusable & node tool asset network nodes ; digital asset create
mountain mountains hill terrain valley & rain river water washed wind rivers ; erode erosion
far away distance distant & polygons poly mesh triangles detail ; lod levels detail
changes work file & server team upload back share & put send save ; submit source control
who changed history earlier version & file asset ; history version revision
newest latest current & version file server team & get download fetch ; sync update checkout
image picture layer photo & erase remove delete heal fix & spot dust scratch pimple wrinkle person wire object ; heal clone content fill
image picture photo & erase remove & person object thing man car wire ; content aware fill generative
sky background & replace new other swap exchange & photo image picture ; replace background sky
photo image picture & old faded damaged restore dull ; levels restore color
photo image picture & too dark bright ; exposure levels brightness
photo image picture & black white ; desaturate grayscale black white
horizon photo picture & crooked tilted slanted ; straighten rotate
layer layers & one single flat together all & merge flatten combine ; merge flatten
layer layers & group folder sort organize ; group layers
hide invisible cover & part parts area & layer image without deleting ; mask layer
drawing brush pen stroke line & pressure softer size change thick ; brush size
straight circle line & ruler help perfect draw ; ruler assistant
next new another blank & frame drawing page & animation animate ; add frame
grain & add old vintage ; grain noise
lens distortion curved & straighten correct remove plate shot ; lens distortion undistort
plate footage shot & grain noise remove clean ; denoise
foreground element cg render & background plate footage & over on put comp combine ; merge over
edge edges hair fringe green spill & key green screen ; despill edge
read bring load & sequence frames images exr ; read import sequence
nodes node & group together one organise organize box color ; group backdrop
different part certain & frame range frames & render only ; frame range
camera & move fly path along drive ; camera path animate
camera lens & wide tele long focal zoom mm ; focal length camera
shadow shadows & hard soft missing off no ; shadow light
room scene inside interior & dark brighter light window ; light exposure
light lamp & stronger weaker brighter dimmer color warm cold ; light intensity
lights lamps & all list find @see ; list lights
noise noisy grainy speckles & render image rendering ; denoise samples
render rendering & slow faster long quick draft ; samples settings resolution
render rendering & size format path output where folder change ; render settings output
quick fast draft rough & preview movie video playblast viewport animation ; preview playblast viewport
picture screenshot snapshot & viewport scene screen view now ; screenshot capture viewport
rig character creature & import load reference bring another scene ; reference import
scene file & reference link outside another without copying ; reference xref
file scene & older version program open compatible ; save export version
list show which what & cameras lights materials textures layers tracks bones & scene file ; list
count number how many & polygon object vertices face triangles scene ; statistics count
name names rename & all objects many bones prefix suffix number ; rename
hide show & category type all lights bones cameras ; visibility hide show
object objects & same place aligned line row next straight ; align
object objects & ground floor stand drop onto & put place ; snap align
object part & pivot around rotate turn degrees ; rotate
object thing wheel & follow attached stay stick child & another other parent hand car ; parent constraint
object eyes head camera & look looking face point aim & at target towards ; aim constraint target
object camera car & along follow path curve road & move drive fly ; path constraint follow
wheel propeller fan & turn spin rotate & forever continuously constantly ; rotate expression loop
ball head toy & squash stretch cartoon ; squash stretch deformer
edges corners & stay crisp hard sharp & subdivision smooth ; crease
blend shape morph smile sculpt & face add new target ; shape key blend morph
fingers hand foot knee & ik control reach ; ik
skin weights & mirror copy other side mesh transfer ; weights mirror copy
skin weights arm shoulder & wrong weird collapses fix smooth paint ; weights paint skin
animation keys & delete remove clear all & object ; delete keys
animation keys clip & shift later earlier move time offset ; move keys offset
animation keys clip & faster slower longer shorter scale ; scale time speed
animation & other file save load library reuse & pose clip ; export import animation
cloth dress skirt & goes through body penetrates passes collision ; collision thickness
cloth fabric dress & stiff stiffer softer heavy elastic stretch ; physics stretch bend
cloth vertices corner & hold pinned pin fixed stay hang ; pin
simulation water smoke fire & finer detail resolution more ; resolution voxel
particles dust sparks & more fewer faster rate count ; rate particles
smoke cloud clouds mist & volume make shape mesh ; volume vdb
volume vdb fluid & mesh polygons surface convert ; mesh convert
usd & stage layer world & open load reference read ; usd load
usd & stage layer & write save flatten ; usd save
pick choose get what & selected selection user ; selection get
code script & insert attach put add & object node character ; attach script
value variable & store save remember global between ; variable
variable & blueprint node object add new public ; variable add
level scene map & open load another switch ; open load scene
object prefab enemy thing & appear spawn put place drop & game scene level ; spawn instantiate place
object & delete destroy remove & scene game level ; destroy delete
door object state & animation when change switch walk idle ; animator transition state
sound music & play when hit click start ; audio
game & download install package plugin library ; install package
import model asset texture & settings compressed blurry size again ; import settings reimport
tests test & automatic run check ; run tests
garment dress cloth avatar shirt & pull pulling tension tight stretched strain squeeze ; fit stress strain
border margin extra edge & fabric cloth piece pieces pattern seam ; seam allowance
pattern fabric piece & curved dart waist narrow shape ; dart
shape shapes face character & blink smile open closed expression later ; shape key blend morph
cameras camera & three four several multiple & cut switch between edit ; multicam angle camera
who what which find & use uses still using & texture material file asset image ; references
how many & dense points polygons parts subtools layers objects ; list count
print & rgb cmyk small low resolution okay check missing ; preflight
buttons items elements icons & below next stack under pixels between row column ; auto layout gap padding
day date noon july june summer winter & place city shadow shadows sun fall latitude ; sun positioner sky
player music sound & zone enters quieter level game mute ; audio bus volume
color colors colour & store save keep exact reuse brand again ; swatch color style
hair fibres fur & grow mask masked out area ; fibre hair
cameras camera views & ranges several render different night ; batch render
stroke strokes line outline outlines & shape shapes filled fill convert plain ; outline stroke expand
code compiled compile & server warning warnings errors c ; compile errors
quick fast preview opengl & movie animation video ; preview viewport playblast
lay flat open unfold peel & paint texture model cloth ; unwrap uv
make create assign give put & red blue gold green wooden metal & material ; assign material apply
@all selected & hide everything invisible ; hide visibility
text caption letters & size bigger font change ; text font size
text & translate language other ; translate
title text name & animate animated fly moving ; text animation animator
logo title & open opening start reveal ; title animation
picture image & frame border shadow behind ; shadow effect
button card image box & shadow depth under behind ; drop shadow
design screen page & developer handoff measurements distances spacing ; spacing css
button icon & same everywhere reuse once change ; component symbol
instances component & swap another exchange other icon ; swap component
logo icon artwork & reuse many again symbol same ; symbol
photo image shape & cut shape into inside circle round ; clipping mask
gradient blend colors & sky background two fade ; gradient
drawing artwork & bent wave flag arc warp ; warp envelope distort
artboard page paper & size fit exactly content drawing ; fit artboard
paper page sheet & scale drawing plan view layout print ; layout detail
hatch shade stripes & area section drawing fill ; hatch
repeat reuse same & door window symbol part block drawing ; block insert
curve line & simpler fewer points cleaner ; rebuild simplify curve
curve line & through points pass ; interpolate curve
curve line & parallel distance copy inside outside ; offset curve
curve logo line & onto surface project curved ; project curve
surface & fill patch hole irregular boundary curves ; patch
curved quality smooth check bumps & surface reflection zebra ; curvature zebra analyze
nurbs smooth & mesh convert cad exchange ; nurbs convert
mesh print & thick solid surface stl ; mesh export
house building cad architect architecture & game engine import real unreal ; import datasmith
ground terrain & paint grass sand path texture ; paint terrain layer
terrain ground & hills mountains random rough bumpy ; terrain heightfield noise
grass trees & brush paint area around ; paint foliage
lots many huge & triangles detail mesh film game ; nanite lod
level world map & huge large open parts stream ; world partition streaming
scene level & bright fog bloom dark mood color ; post process
cutscene film scene shot & game engine camera ; sequence shot
render movie video film & game engine sequence ; render movie queue
object thing & hidden off inactive show game ; active activate
object objects & find all tag name component scene ; find
enemy coin object car & reuse template many same save ; prefab
scene room walls & invisible draw hidden faster ; occlusion
animation play & walk idle run condition speed when ; transition state animator
upper body only arm & animation part layer ; mask avatar layer
phone build & size smaller download bundle ; bundle addressables
input move & wasd arrow gamepad keyboard ; input action
scene child enemy & put inside another scene ; instance scene
fade slide move & smoothly ui position object second ; tween animation
shader material & value color change parameter uniform code ; shader param property
tile tiles grid & draw paint level map floor ; tilemap tile
water river puddle & ripple drops surface ; ocean fluid ripple
wood glass concrete & break shatter fracture ; fracture material
points curve mesh & copy instance spread onto ; copy points scatter
code vex expression & points attribute each ; attribute wrangle
render & denoise clean samples noise ; denoise
wait cook compute recompute & node now force ; cook node
many several variations versions & compute process batch wedge parallel ; cook batch pdg
volume sdf clay merge & blob soft objects melt ; volume voxel remesh
`;

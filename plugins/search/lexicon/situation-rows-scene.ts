/**
 * What people say who do not have the word: modelling, rigging, animation, effects, light and render. A line is
 * `slot & slot ; asked & asked`: when the query has a word of every slot, in any order, all that is asked is sought
 * too. `@name` lines name words that slots share, in this file and the ones after it. To maintain: tell a situation,
 * not a tool; a line should hold for whatever program has the matter.
 */
export const sceneSituationRows = `
@remove remove delete erase rid clean cut take kill strip lose drop hide out away off without
@many many much heavy dense high big large huge millions
@less less fewer lower reduce half cut down smaller lighter thin decrease simplify light
@polys polygon poly polys polycount triangle tris face vertex vert mesh geometry
@model model mesh object geometry sculpt figure character part shape asset sculpture
@video video footage clip shot movie film take recording plate
@image image picture photo photograph bitmap scan jpg jpeg png drawing artwork painting sketch
@sound audio sound voice dialogue interview music song speech recording track microphone mic
@texture texture bitmap image map path photo picture
@see see show view display look visible preview watch
@other other another different second new someone
@all all every everything whole each entire complete its
@wrong wrong broken bad problem black dark strange weird flipped inside reversed
@missing missing lost broken offline moved gone find cannot cant pink red where
@person person man woman people character human figure someone actor body guy
@plants tree rock stone grass bush flower plant forest bushes pebble leaf building house prop
@ground ground floor terrain surface hill landscape mountain land area field island
@thing object box crate ball cube barrel chair thing item stone rock
@move move moving walk run walking running animate animation motion moves
@smooth smooth soft round rounded soften rounder bevel blunt
edge edges & @smooth ; bevel chamfer fillet
sharp hard & edge edges & @smooth ; bevel chamfer fillet & edge
many much heavy dense million millions @less & @polys ; decimate decimation polyreduce optimize optimizer & polygon poly mesh polycount
@model & too & heavy dense complex slow ; decimate decimation polyreduce optimize optimizer & polygon poly mesh
low lower light lighter game & version copy & @model ; decimate decimation lod
even evenly uniform rebuild regular & @polys topology ; remesh retopology rebuild
clean good proper & quad topology loop ; retopology remesh quad
more extra higher & detail polygon resolution subdivision & @model ; subdivide subdivision divide
lost lose loses keep bring back transfer & detail wrinkle pore & sculpt remesh retopology high old topology ; project projection detail
both other left right one half opposite & side ; mirror symmetry symmetrize
spin rotate turn turning revolve & profile outline curve silhouette section line ; lathe revolve revolution & profile
vase bottle bowl cup glass wheel goblet & profile curve outline make model ; lathe revolve
tube pipe cable rope hose wire rail & path curve spline along line ; sweep
cover skin stretch & between across over & curve spline rib section profile ; loft surface
hole window door slot opening & cut make punch drill put through & @model wall solid wood plate ; boolean subtract difference
subtract cut carve & @model shape solid & from other another ; boolean difference
unite join glue combine melt & solid volume body ; boolean union
thin flat paper & wall thickness thicker thick surface sheet ; solidify thickness shell
hollow empty inside & print resin material solid model wall ; hollow shell thickness
weld glue merge join close & vertices points double doubles vertex ; merge weld distance
two several many multiple all pieces parts & one single together & object mesh part polygon ; attach join merge combine connect
face faces normal normals shading inside & wrong flipped black reversed outside inside ; normals recalculate flip
hole holes gap & close fill patch mend & @model surface ; cap fill repair holes
leak leaks watertight waterproof printable & @model print repair ; repair heal cap
only just as & wire wires wireframe line lines & @see @model ; wireframe display mode
@plants object copies instance & @ground & random randomly scatter spread place put distribute everywhere cover plant ; scatter distribute foliage
plant plants planting & @plants & @ground ; foliage vegetation scatter & terrain
@plants copy copies instance object & every each all & point points vertex ; copy points
copy copies repeat times row grid line & row grid line stair fence evenly times ; array duplicate cloner
copy copies clone clones cloner instance & random different vary slightly various size offset delay ; effector random
around & circle ring & copies copy object clone ; radial array cloner
pivot origin axis anchor & middle center bottom move base ; pivot axis center
scale rotation transform & reset bake freeze zero apply clean ; reset freeze transform
line curve corner & meet touch join & round smooth ; fillet
real world actual & size scale unit measure ; units size
big large much volume & cubic litre space fit inside ; volume
how & far long wide tall high apart ; distance measure
how & much big & volume material weigh space ; volume
cut slice open section & building house model part room engine & inside look see interior ; clipping section plane
technical hidden line dashed paper plan & front top side view elevation drawing ; drawing 2d hidden
write type make & 3d three solid & text letter word name logo ; text extrude
bend twist taper squash stretch wring & @model ; deformer deform
cloth flag curtain sail cape banner fabric & wind blow breeze flutter wave flap ; wind force & cloth
cloth flag curtain cape tablecloth blanket & fall hang drape simulate behave ; cloth simulate drape
@thing & fall falls drop drops tumble & ground floor down gravity table ; rigid body rigidbody dynamics gravity & physics
bounce bounces bouncing bouncy & @thing floor ground wall ; rigid body dynamics bounce
debris rock rocks stones pieces bricks chunks boulder domino & fall roll tumble crash collapse collide pile ; rigid solve dynamics
break breaks shatter smash crack destroy collapse crumble explode explodes apart pieces & wall glass window building stone vase object tower piece pieces concrete ; fracture shatter voronoi
blow explode explosion burn burning fire & smoke flame up car building fire ; pyro fire smoke
water liquid juice beer milk wine coffee & glass tank pour splash fill flow bathtub pool cup ; fluid water flip
sea ocean lake water & wave waves surface storm stormy rough ; ocean waves
crowd people army stadium audience soldiers & fill many hundreds lots thousands full walking ; crowd agents
rain snow sparks dust embers confetti bubbles leaves & fall fly falling make add emit ; particles emitter
hair beard fur fuzz eyelash & grow make add put cover ; hair fur groom
rain water weather river & mountain hill terrain landscape wash carve ; erode erosion terrain
attach bind connect glue put stick add & bone bones skeleton rig joint armature ; skin weights bind armature
skin mesh body character & follow move deform & bone bones skeleton joint ; skin weights bind
weight weights & automatic compute calculate bone skeleton ; weights automatic skin
skeleton bones rig & person human character man body two legs ; skeleton biped character
control controls handle & character rig animator skeleton figure ; control rig
@other & @move dance clip & character skeleton rig body figure person ; retarget animation
mouth lip lips jaw & talk speak move dialogue voice speech audio words say ; lipsync audio mouth
smile blink frown angry happy expression & face character make add morph target shape ; shape blend expression face
foot feet hand shoe & slide sliding floor ground through sink skate slip ; foot floor contact
jittery jitter shaky noisy jerky nervous trembling & motion animation mocap capture curve marker data ; filter smooth jitter
key keys keyframe keyframes & fewer less many thin reduce too clean sparse ; reduce key keys & fewer
marker markers & gap hole disappear missing lost ; fill gaps marker
marker markers & name label unnamed identify ; label marker
animation motion walk step run & repeat loop forever endless again cycle ; loop cycle repeat
animation move motion swing & soft softer natural gentle mechanical robotic stiff abrupt ; ease easy smooth
shake random nervous tremble & layer position logo title text ; wiggle random expression
jump go move skip scrub & frame time second playhead ; transport time goto
stop pause end & game playing play ; exit stop
end begin match blend join smoothly & two clip motion take animation & walk run hip into ; blend clips
image photo panorama environment hdr hdri & light lights lit illuminate surround ; hdri environment world
sun sunset sunrise evening morning night noon dusk dawn hour & level scene day light look time ; sun sky time day
light lamp & which only affect affects shine shines hit exclude ignore not & object objects character thing ; light link linking
light shadow lights lighting & bake burn into texture fixed permanent static ; bake lightmap lighting
glass metal wood gold skin plastic & material give put assign onto ; material assign
@all & material materials & @other renderer engine convert vray corona arnold redshift ; convert materials
render renders & stop cancel abort kill throw quit running interrupt ; cancel render
render rendering & several many different cameras views night overnight list later ; queue batch render
render & network farm machines computers several ; network team farm
single one current & frame & render save picture image ; still frame save
turn spin rotate rotating turning around sides & video movie film clip model show record ; turntable
matte mask separate select & object objects compositor id colour & image pass render ; cryptomatte id
separate pass passes layer layers & render shadow reflection light compositing ; render elements aov pass
shake depth focus blur blurry & background camera lens ; depth field focus
high sculpt detail & low game & bake transfer normal map ; bake normal high low
`;

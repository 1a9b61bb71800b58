/** Situations that ask for states, relations and limits of things, in the form of `sceneSituationRows`. */
export const relationSituationRows = `
@model surface sphere cylinder & faceted blocky smoother smooth jagged round & look looks edges segments ; subdivision smooth turbosmooth
only one single some & object product bottle character thing & lit light lights illuminated ; light linking link
animation controls control rig constraints & keys bones skeleton plain bake ; bake plot skeleton
person man human character & skeleton bones legs tall height ; biped skeleton
file take bvh clip motion & apply put load onto & character walk skeleton biped bvh ; motion capture load
skin plane surface sheet & over across between & ribs row curves splines sections ; loft
inside content source part & clip shot & slide shift without moving position same timeline ; slip
voice sound audio recorder & camera picture video & line match sync together ; sync audio
copy same use take & look grade colors & next other clips shots ; grade match apply
photo image picture & form shape star circle inside & cut crop clip ; clipping mask
edge side right left corner panel header & keep stay stick pin & resize resized window bigger size frame ; constraints resizing
button component card & variant variants state hover pressed disabled ; component variants set
nowhere unused anywhere somewhere & used use referenced ; references unused
switch change go & idle walk run attack jump state & when if moves ; animator transition state
keep remember share global & score value data settings & scenes levels between everywhere ; autoload singleton variable
hold fix pin keep attach & shoulder waist strap corner cloth garment vertices & slide slip fall stay not place ; pin cloth
print printed picture logo flowers stripes pattern & dress shirt fabric cloth garment ; fabric texture print
hide invisible part half & layer image & without erasing deleting destroying ; transparency mask
millions many lots huge & triangles polygons detail & fast run real game performance ; nanite lod
only just single & roughness metallic normal height color channel map & @see viewport ; channel display
fit zoom frame center & view camera screen & object selection selected all everything ; view frame zoom fit
saved stored named favorite & view angle camera & back restore go ; named view restore
transparent see through ghost xray & @see view viewport model ; display mode ghosted
two left right front & views windows viewports split ; viewport layout
recent last opened & file files project ; recent open
copy duplicate & scene file project page composition sequence timeline & before backup another version ; duplicate copy save
clean reset empty start new fresh blank & scene file document project ; new create document
size width height resolution & image document canvas page composition change set ; size resize canvas settings
frame rate fps & change set sequence project composition timeline ; frame rate settings
start end first last & frame frames range animation shot set ; frame range
sound audio & remove strip delete without & video clip ; unlink audio mute
sound audio wav mp3 & add import put & timeline scene animation ; import audio sound
video clip & crop zoom bigger part & picture frame ; scale crop
video clip & rotate sideways upside phone ; rotate
black bars borders edges & video picture clip & remove without ; crop scale reframe
logo watermark & corner whole over & video clip film ; overlay track title
flicker flickering & video light lamp footage ; deflicker
face license plate person & blur hide unrecognizable anonymous pixelate & video picture ; blur mask track
text words credits & scroll roll rolling upwards ; title animation
picture photos images & slideshow video movie film & make turn ; import sequence timeline
mistake error typo & subtitle subtitles captions transcript ; captions edit
layers layer & lock protect accidentally move not ; lock layer
layer group object & below above under top order ; order arrange layer
pen path line & edit bend change add point points handle ; anchor point path
logo drawing & one color single black monochrome ; recolor color fill
circle ellipse round dot & draw make ; ellipse circle
lines line & arrow end both ; stroke arrow
paragraph column columns text & box frame area ; area type text
word words text & find replace change everywhere all ; find replace text
photo picture image & warm cold tint ; temperature color balance
photo picture image & file small smaller compress web ; export quality
raw photo picture & develop open ; open import
hair wisps edges & select selection cut mask ; refine selection mask
colors color & wrong different print screen profile ; convert color profile
texture material & stretched distorted blurry scale repeated & object surface model wall ; uv mapping projection
texture material & lies sits shifted move rotate scale & object surface ; mapping uv projection
material look & copy same transfer & object objects other another ; assign material copy
edges cavities corners dents & bright highlight worn light paint ; curvature generator mask
ambient contact & shadow shadows corners occlusion ; ambient occlusion
map maps texture textures & packed channels unreal unity engine export ; export textures preset
ground floor & shadow only catch catcher ; shadow matte
wet rain puddles & street road ground surface ; roughness water
car vehicle & drive wheels road ; constraint path dynamics
door lid drawer & open hinge swing rotate ; pivot rotate hinge
chain rope necklace & hang swing fall ; dynamics simulate
simulation physics & wrong start rest first frame explodes ; reset solve substeps
simulation & stop begin start frame range bake ; bake cache simulation
fire smoke flames & color look render bright ; volume shader
snow sand dust & pile ground footprints ; particles
building city street houses & many generate procedural ; scatter instances
car robot mechanical & rig move parts ; parent constraint rig
finger hand tail spine & curl bend many joints ; control rig
skeleton rig & different size proportions fit another ; retarget
`;

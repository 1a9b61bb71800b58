/** Situations of film, sound and games, in the form of `sceneSituationRows`. */
export const mediaSituationRows = `
@game game level player app scene build
shaky shake wobble wobbly handheld unsteady jerky trembling & @video camera hand ; stabilize stabilizer shaky
@remove stop fix less avoid & shake shaking wobble tremor trembling & camera video footage hand image ; stabilize stabilizer shaky
steady stable calm still & @video camera ; stabilize stabilizer shaky
logo text sign sticker picture label name title & moving follow follows stick stay attach pin & car phone screen wall object hand shirt shot person point ; track motion
@remove & person people man wire pole car thing object microphone boom sign logo tourist & @video ; remove object & fill content aware
green blue & screen background wall behind cloth & @remove replace key transparent ; key keying green screen
background & @remove replace behind & @person @video subject ; matte key roto
cut separate isolate select & @person subject & background @video ; roto subject background
@video speech animation & slow slower slowly fast faster speed percent half quick twice play ; speed stretch time remap duration
@video play motion & backwards backward reverse rewind ; reverse speed
@video picture image last & freeze hold stop pause still stand frozen ; freeze hold frame
cut chop divide separate slice split & clip shot video take & here two playhead frame cursor now middle point ; razor blade split
@remove delete close & gap gaps hole space empty & clip clips timeline track after sequence ; ripple delete gap
@video landscape horizontal wide & phone vertical portrait square instagram tiktok story mobile reel shorts ; reframe vertical aspect
music song background soundtrack & quiet quieter lower down soft softer less under leiser & talk speak voice speech dialogue someone interview narrator words ; duck lower speech & music
@sound & hiss hum noise noisy background wind buzz hissing crackle clean rauschen static fan ; denoise noise audio isolation
voice speech & separate isolate only clear clearer clean understand ; voice isolation noise
@sound clip & loud louder level quiet volume even same ; gain volume normalize loudness
loud loudness & sequence film programme broadcast how ; loudness
spoken speech words talk dialogue interview said & text write written type read transcript ; transcribe speech transcript subtitles
automatic automatically generate add make from & subtitle subtitles captions & speech spoken video talk ; subtitles captions speech
playback play preview editing timeline video & slow slowly stutter stutters lag laggy choppy jerky heavy smooth smoothly lighter ; proxy proxies optimized low resolution
lighter smaller low light & version versions copy copies & clip clips footage video media ; proxy proxies optimized
two both shots cameras clips scenes & same match equal alike similar & color colour colors look ; match color shot
look grade color correction & copy apply put same take transfer & still clip clips others shots saved ; apply grade still
color colour grade grading correction look & reset wipe undo remove delete scratch original ; reset grade
only just single one particular & color colour blue red green sky skin yellow & change select isolate pick ; isolate qualifier hue color
bright brighter dark darker contrast warm warmer cold & video clip shot footage ; exposure contrast color adjust
file files media clip clips footage & @missing ; relink missing locate media footage
texture textures bitmap bitmaps image images & missing lost broken moved gone find pink ; relink missing textures path
project everything all files scene & send friend hand pack archive collect zip backup colleague folder deliver gather ; collect consolidate archive project & assets media
several many multiple two different & cameras camera angles angle & sync same line switch concert event ; multicam sync
sound audio recorder & sync line match & picture video camera separate separately ; sync audio waveform
pro & tools ; aaf export
other another different & editor editing program software application & timeline cut edit sequence xml ; export timeline xml edl aaf
sound mixer mixing mix & hand send give export deliver timeline cut ; aaf export
cut cuts scenes shots & detect find where changes already finished rendered & video clip file movie timeline ; detect scene cuts
title name text lower & video start beginning film & put add write insert ; title text
letter letters character word & one after each appear come type typed ; animator character text
line logo drawing shape stroke & draw draws itself grow appear write reveal ; trim path strokes
@game & slow lag stutter fps performance slower jerky slowly freezes ; profiler performance profile
exe executable windows mac android iphone ios web browser steam release ship standalone & @game project ; build player export platform
start test try run play & @game ; play run
language languages translate german french spanish japanese english translated & @game text strings menu ; translate localization strings
button key keyboard gamepad space press controller joystick & jump player shoot move action when bind assign ; input action keys
enemy enemies npc character characters agents monster people guard & way walk path around avoid find wall obstacle ; navigation navmesh agents
script code program & compile error errors wrong fail why compiler run ; compile errors
walk fall run go through pass & wall floor object solid & @game player character not ; collider collision
player character & solid through hit wall collide ; collider collision
camera & follow follows behind chase & player character car target ; camera follow
far distant distance away & detail simpler object mesh lower ; lod levels detail
picture screenshot capture image & game viewport screen view editor window ; screenshot capture view
what which list show & in inside & scene level hierarchy open ; hierarchy tree list
who which what where & uses use used using depends need & texture asset material file prefab ; references asset use
nobody else lock check edit reserve & file asset perforce repository ; checkout source control
send give upload submit commit push & changes perforce repository server ; submit changelist
value parameter setting slider option & outside artist artists others user expose show public interface inspector ; expose promote parameter
box frame note comment label group & node nodes around graph ; comment frame nodes
node nodes graph network wires & tidy messy clean order arrange sort mess ; layout nodes
node nodes & slow long time heavy expensive longest ; heavy nodes time
ground terrain landscape hills mountains height & picture map image black white gray greyscale file ; heightmap terrain heights landscape
sprite sheet & cut slice frames animation columns ; sprite sheet frames
music sound volume & game & mute bus louder quieter down lower volume ; audio bus volume
music sound audio soundtrack dialogue & volume loud quiet quieter louder lower ; gain loudness audio
`;

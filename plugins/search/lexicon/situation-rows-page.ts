/** Situations of drawing, painting, layout, texturing, clothes and files, in the form of `sceneSituationRows`. */
export const pageSituationRows = `
@image logo & vector vectors svg scalable outlines paths ; trace vector bitmap
@image logo & convert turn make trace & vector vectors ; trace vector
text word words title writing & circle curve curved around wave path arc bent ; type path curve
text font fonts words type letters & shape shapes curves outline outlines license vector printer ; outlines convert type
logo layer object element picture shape icon & front top behind back above below under & bring put send move ; arrange front back order
logo layer object element shape & front behind & everything else all other ; arrange front back order
even evenly equal equally same regular spread space & space gap distance apart icons objects items elements icon ; distribute space evenly
printer print press printing shop & ready send prepare bleed file pdf ; print pdf press
print printing & check problems wrong before ; preflight check
pattern tile wallpaper repeat drawing fabric & seamless seam endless repeatable repeating repeats ; pattern seamless tile
@image & repeat repeats tile tiles tiling repeating & edge seam seams border wall floor visible nicely without ; seamless tile photo
readable read legible visible enough hard & text background color contrast ; contrast text
round rounded rounder soft & corner corners card button box rectangle ; corner radius rounded
dark light night & mode theme version screen & switch show change dark design frame ; mode dark variable
comment comments feedback said wrote notes & design file left people team client read ; comments
css html code developer developers & button design element get give ; css code
break cut separate loose independent & instance component master main original ; detach instance
number rename name numbering & layer layers order many several ; rename layers
previous next neighbour neighbouring before after last & frame frames drawing drawings animate pose ; onion skin
fill pour paint color & area region inside bucket closed spot ; fill flood bucket
@image & smaller bigger larger resize enlarge shrink size pixels ; scale resize image
bigger larger more extra & canvas paper page room border ; canvas resize
@image layer background face & blur blurry soft unsharp out ; blur
@image photo & sharp sharper crisp blurry soft ; sharpen
straight straighten crooked rotate & @image horizon ; rotate image
select pick mark & similar same color colour alike ; select color similar
everything except opposite inverse rest & selected selection ; invert selection isolate
every each all & layer layers & own separate single file files ; export layers
perspective vanishing horizon ruler & help line guide drawing draw ; perspective ruler assistant grid
sticker logo decal label tattoo badge emblem & put add place onto & helmet model surface texture car shirt body mesh ; decal projection
sticker decal emblem badge tattoo & helmet model car skin surface armor ; decal projection
dirt rust scratches wear worn dust grime old dirty & texture edges crevices metal model mask layer corners material ; mask smart dirt wear
new updated changed newer reload latest & model mesh version & keep without losing paint painted painting lose strokes texture ; replace mesh keep
dress garment shirt jacket cloth clothes trousers fit & tight loose fit narrow ; fit stress pressure map
clothes garment dress shirt jacket & body avatar character mannequin figure person wear put & simulate wear put on around ; drape arrange avatar
jacket dress clothes garment shirt cloth skirt & walk walks walking moves moving dance run ; record cloth animation
sew stitch join connect attach & sleeve shirt edges edge pieces panel fabric together ; sew sewing
leather silk denim cotton jersey wool & fabric material make cloth garment shirt dress ; fabric preset
taller shorter wider hips waist bust chest size measurements & body avatar mannequin model person woman man ; measurements avatar
factory production manufacturer & pattern measurements sheet garment send ; tech pack
black white gray greyscale grayscale & color colour colorize colourise map ; gradient map colourise
height bump & normal & map make convert turn ; height normal
unused leftover junk leftovers rubbish garbage nobody nothing & file uses used clean project data ; purge unused orphans remove
own custom short small & script code python program command & run execute ; run execute script
undo back revert & change mistake step ; undo
older earlier previous & version file ; restore version
print printer & 3d three ; print stl
file files drawing & autocad dwg cad ; import drawing dwg
`;

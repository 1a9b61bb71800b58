/** Words that say nothing about a tool, in the languages that queries come in. They count only when nothing else does. */

const words = `
a an the this that these those some any all every each it its i me my mine we us our you your he she they them their
is are was were be been being am do does did done doing have has had having can could should would will shall may might
must to of in on at by for from with without into onto out off up down over under as if then than so and or not no but
how what which who whom whose where when why there here let lets please pls plz want wants wanted need needs needed
like just only also too very really way ways something anything everything someone thing things one ones use using used
help via per about able possible such try trying somebody anybody everybody wanna gonna id dont cant im ive hey hello thanks thank tool tools function
currently right now else please s t re ve ll
der die das den dem des ein eine einen einem einer eines und oder mit ohne von zu zum zur im am auf aus bei nach
ich du er sie es wir ihr mein meine meinen meiner dein ist sind war kann konnen mochte will wollen soll bitte wie was
wo alle alles aller auch nicht als mir mich
le la les l un une des du de d et ou avec sans dans sur sous pour par en au aux ce cette ces mon ma mes je tu il elle
nous vous comment est sont veux voudrais peux tout tous toute toutes que qui quoi
el los las una unos unas del y o con sin sobre para por al mi mis tu su sus yo quiero necesito puedo como esta este
estos estas todo todos toda todas que se lo
os as um uma uns umas do dos da das no na nos nas ao aos com sem meu minha meus minhas eu quero preciso posso
entre zwischen tra fra между 里 的
il lo gli i uno di del della dello dei delle degli da dal dalla nel nella sul sulla per con senza mio mia miei mie
voglio vorrei posso tutti tutte tutto questo questa che e
и в во на с со из по для от до к ко у о об как что это этот эта эти все всех мне мой моя мои я хочу нужно надо можно
пожалуиста или не без
`;

const known = new Set(words.trim().split(/\s+/));

export const isStopWord = (word: string): boolean => known.has(word);

const weak = new Set(
  'let bring send keep turn going come happen work look see properly correctly exactly again always machen faire hacer fazer fare hazme lancer effectuer realizar make get set do change put give take new show tell perform current object objects item file files scene value values name based given specific inside whole entire multiple between'.split(
    ' ',
  ),
);

/** Words that say little beside others. */
export const isWeakWord = (word: string): boolean => weak.has(word);

/** Verbs that undo each other: who asks for one does not want the other. Pure. */
import { stem } from './stems.ts';

const pairs: readonly (readonly [string, string])[] = [
  ['add create insert set make new append place spawn put apply', 'delete remove clear purge erase destroy unset'],
  ['import load open read', 'export save write publish unload'],
  ['hide', 'show unhide reveal'],
  ['enable activate', 'disable deactivate'],
  ['lock', 'unlock'],
  ['freeze', 'unfreeze'],
  ['mute', 'unmute'],
  ['select', 'deselect unselect'],
  ['parent attach', 'unparent detach'],
  ['group', 'ungroup'],
  ['connect link', 'disconnect unlink'],
  ['start play enter begin resume', 'stop exit end pause leave cancel'],
  ['undo', 'redo'],
  ['merge combine join attach', 'separate split detach explode'],
  ['pack', 'unpack'],
  ['subdivide', 'decimate reduce'],
  ['get read query list', 'set write'],
];

const stems = (words: string): Set<string> => new Set(words.split(' ').map(stem));
const sides = pairs.flatMap(([one, other]) => {
  const [a, b] = [stems(one), stems(other)];
  return [
    { asked: a, against: b },
    { asked: b, against: a },
  ];
});

/** A test for names: whether one has a verb against one of the words, and none that goes with it. */
export function opponentOf(words: readonly string[]): ((parts: readonly string[]) => boolean) | undefined {
  const asked = words.map(stem);
  const taken = sides.filter(
    side => asked.some(word => side.asked.has(word)) && !asked.some(word => side.against.has(word)),
  );
  if (taken.length === 0) return undefined;
  return parts => {
    const named = parts.map(stem);
    return taken.some(side => named.some(part => side.against.has(part)) && !named.some(part => side.asked.has(part)));
  };
}

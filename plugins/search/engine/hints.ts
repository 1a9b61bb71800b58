/** What the caller knows besides the query: the skill it has in mind and the open scene. They move hits up. Pure. */
import type { SearchShape } from '../api.ts';
import { hostOfScene } from './host-names.ts';
import type { Indexed } from './inverted-index.ts';
import { fold, nameParts } from './tokens.ts';

const factors = { skill: 1.25, sceneHost: 1.1, sceneWords: 0.1 };

export type Hints<T> = ReturnType<typeof readHints<T>>;

export function readHints<T>(
  { skillOf }: SearchShape<T>,
  { skill_hint = '', scene_hint = '' }: { skill_hint?: string; scene_hint?: string },
) {
  const skill = fold(skill_hint).trim();
  const host = hostOfScene(scene_hint);
  const words = nameParts(scene_hint.slice(0, 500)).filter(word => word.length > 2);

  const ofSkill = ({ item }: Indexed<T>): boolean => skill !== '' && fold(skillOf?.(item) ?? '').includes(skill);
  const ofHost = (entry: Indexed<T>): boolean => host !== undefined && entry.host.includes(host);
  const present = ({ text }: Indexed<T>): number =>
    words.length === 0 ? 0 : words.filter(word => text.includes(word)).length / words.length;

  return {
    given: skill !== '' || host !== undefined || words.length > 0,
    ofSkill,
    ofScene: (entry: Indexed<T>): boolean => ofHost(entry) || present(entry) > 0,
    /** What an item's score is multiplied with. */
    factor: (entry: Indexed<T>): number =>
      (ofSkill(entry) ? factors.skill : 1) *
      (ofHost(entry) ? factors.sceneHost : 1) *
      (1 + factors.sceneWords * present(entry)),
  };
}

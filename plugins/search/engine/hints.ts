/** What the caller knows besides the query: the skill it has in mind and the open scene. They move hits up. Pure. */
import { hostOfScene } from './host-names.ts';
import type { IndexedRecord } from './inverted-index.ts';
import { fold, nameParts } from './tokens.ts';

const factors = { skill: 1.25, sceneHost: 1.1, sceneWords: 0.1 };

export interface Hints {
  /** What a record's score is multiplied with. */
  factor(entry: IndexedRecord): number;
  ofSkill(entry: IndexedRecord): boolean;
  ofScene(entry: IndexedRecord): boolean;
  readonly given: boolean;
}

export function readHints(skill_hint: string | undefined, scene_hint: string | undefined): Hints {
  const skill = fold(skill_hint ?? '').trim();
  const host = hostOfScene(scene_hint ?? '');
  const words = nameParts((scene_hint ?? '').slice(0, 500)).filter(word => word.length > 2);

  const ofSkill = ({ record }: IndexedRecord): boolean =>
    skill !== '' && record.skill_name !== null && fold(record.skill_name).includes(skill);
  const ofHost = (entry: IndexedRecord): boolean => host !== undefined && entry.host.includes(host);
  const present = ({ text }: IndexedRecord): number =>
    words.length === 0 ? 0 : words.filter(word => text.includes(word)).length / words.length;

  return {
    given: skill !== '' || host !== undefined || words.length > 0,
    ofSkill,
    ofScene: entry => ofHost(entry) || present(entry) > 0,
    factor: entry =>
      (ofSkill(entry) ? factors.skill : 1) *
      (ofHost(entry) ? factors.sceneHost : 1) *
      (1 + factors.sceneWords * present(entry)),
  };
}

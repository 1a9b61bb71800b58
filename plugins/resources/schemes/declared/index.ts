/** The resources that loaded skills declare, under the URIs that they give them. */
import { definePlugin, messageOf } from '../../../../kernel/index.ts';
import type {} from '../../../skills/api.ts';
import type {} from '../../api.ts';
import { readDeclarations } from './declarations.ts';
import { createDeclaredResources } from './declared-resources.ts';

export const schemeDeclaredPlugin = definePlugin(
  { name: 'scheme-declared', dependencies: ['resources', 'skills'] },
  (app, { kernel, scope, log }) => {
    const { resources, skills } = app;
    const declared = createDeclaredResources({ resources, skills });
    /** Of each skill what is in the log already. */
    const told = new Map<string, string>();
    const turns = new Map<string, Promise<void>>();

    const read = async (name: string): Promise<void> => {
      const skill = skills.loaded(name);
      if (!skill) return declared.drop(name);
      const { resources: found, problems } = await readDeclarations(skill);
      // Unloaded in the meantime.
      if (!skills.loaded(name)) return declared.drop(name);
      const all = [...problems, ...(await declared.publish(name, found))];
      const text = all.join('; ');
      if (text !== '' && told.get(name) !== text) {
        log.warn({ skill: name, problems: all }, 'resources that a skill declares have problems; it stays loaded');
      }
      told.set(name, text);
    };
    /** One after the other: a skill may be saved while it is read. */
    const refresh = (name: string): void => {
      const turn = (turns.get(name) ?? Promise.resolve())
        .then(() => read(name))
        .catch((err: unknown) => log.error({ err, skill: name }, 'the resources of a skill could not be read'))
        .finally(() => {
          if (turns.get(name) === turn) turns.delete(name);
        });
      turns.set(name, turn);
      // Who was told of a loaded skill finds its resources.
      resources.hold(turn);
    };
    for (const name of ['skill.loaded', 'skill.unloaded', 'internal.skill.files_changed'] as const) {
      scope.add(
        name,
        kernel.bus.on(name, ({ attributes }) => refresh(attributes.skill_name)),
      );
    }
    for (const { name } of skills.list('loaded')) refresh(name);
    scope.add('declared resources', async () => {
      await Promise.all([...turns.values()]);
      await declared.dispose();
    });
    scope.add(
      'resource check',
      skills.addCheck(async skill =>
        (await readDeclarations(skill)).problems.map(problem => ({
          reason_code: 'invalid_resources',
          message: messageOf(problem).slice(0, 500),
          suggested_fix: 'Correct the entry or the file it names: until then the skill loads without that resource.',
        })),
      ),
    );
  },
);

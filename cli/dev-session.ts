/** What `skills dev` does with its package: judges every save, loads it as soon as it can be, and tells what happens. */
import { messageOf } from '../kernel/light.ts';
import type { Server } from '../plugins/index.ts';
import { type SkillReport, validateSkillDirectory } from '../plugins/skills/api.ts';
import { findingLines } from './skill-report.ts';

/** `tell` takes each thing that happens, for programs and for people. */
export function createDevSession(server: Server, directory: string, tell: (event: object, text: string) => void) {
  let said = '';
  let looking: Promise<void> = Promise.resolve();
  let loadFailure = '';

  const judge = async (): Promise<SkillReport> => {
    const report = await validateSkillDirectory(directory, { env: process.env });
    const { valid, errors, warnings } = report;
    const text = findingLines(report).join('\n');
    if (text !== said) tell({ event: 'validated', valid, errors, warnings }, text || '  nothing is wrong any more');
    said = text;
    return report;
  };

  const load = async (name: string): Promise<void> => {
    try {
      if (await server.isLoaded(name)) return;
      await server.discover();
      const tools = await server.loadSkill(name);
      loadFailure = '';
      tell({ event: 'loaded', skill: name, tools }, invitation(tools));
    } catch (error) {
      const message = messageOf(error);
      if (message !== loadFailure) tell({ event: 'failed', skill: name, message }, `not loaded: ${message}`);
      loadFailure = message;
    }
  };

  return {
    async listen(): Promise<void> {
      await server.bus.subscribe(
        'skill.loaded',
        ({ attributes: { reload, registered_tools: tools = [], skill_name } }) => {
          if (reload) tell({ event: 'reloaded', skill: skill_name, tools }, `reloaded: ${tools.join(', ')}`);
        },
      );
      await server.bus.subscribe('skill.validation_failed', ({ attributes: { reload, error_message, skill_name } }) => {
        if (!reload) return;
        const text = `not reloaded, the version before goes on: ${error_message}`;
        tell({ event: 'failed', skill: skill_name, message: error_message }, text);
      });
      await server.bus.subscribe('tool.completed', ({ attributes: { tool_name, duration_ms, result_success } }) => {
        const how = result_success ? 'done' : 'reported a failure';
        tell(
          { event: 'called', tool: tool_name, success: result_success, duration_ms },
          called(tool_name, how, duration_ms),
        );
      });
      await server.bus.subscribe('tool.failed', ({ attributes: { tool_name, duration_ms, error_message } }) => {
        const text = called(tool_name, `failed: ${error_message}`, duration_ms);
        tell({ event: 'called', tool: tool_name, success: false, duration_ms, message: error_message }, text);
      });
    },
    /** One look at a time, the last for the newest save. */
    look(): Promise<void> {
      looking = looking.then(async () => {
        const report = await judge();
        await load(report.skill_name);
      });
      return looking;
    },
  };
}

const called = (tool: string, how: string, ms: number): string => `${tool}: ${how} (${Math.round(ms)} ms)`;

/** What can be done now. */
const invitation = (tools: readonly string[]): string =>
  [
    'loaded; call its tools in another terminal:',
    ...tools.map(each => `  svc-server call ${each} --arg <name>=<value>`),
  ].join('\n');

/** A workflow file in words: what it is for, what it takes, its steps in order. */
import { isFields } from './declarations.ts';

const mostSteps = 100;
const deepest = 4;
const longestLine = 500;
/** Keys under which a step may hold steps of its own. */
const nested = ['steps', 'branches', 'then', 'else', 'do'];
/** Keys that may say what a step does, best first. */
const actions = ['tool', 'action', 'use', 'uses', 'call', 'workflow', 'kind'];

export interface WorkflowSummary {
  name: string | undefined;
  description: string | undefined;
  text: string;
}

/** Throws for what is no workflow. */
export function summarizeWorkflow(data: unknown, skill: string, fallback: string): WorkflowSummary {
  if (!isFields(data)) throw new Error('a workflow must be a mapping');
  if (!Array.isArray(data.steps) || data.steps.length === 0) throw new Error('a workflow must have a "steps:" list');
  const name = line(data.name);
  const description = line(data.description);
  const lines = [`Workflow "${name ?? fallback}" of the skill ${skill}.`];
  if (description !== undefined) lines.push('', description);
  const inputs = inputLines(data.inputs);
  if (inputs.length > 0) lines.push('', 'Inputs:', ...inputs);
  lines.push('', 'Carry out these steps in order; stop and report when one fails:', ...stepLines(data.steps));
  return { name, description, text: lines.join('\n') };
}

function stepLines(steps: readonly unknown[]): string[] {
  const lines: string[] = [];
  let left = mostSteps;
  const add = (list: readonly unknown[], depth: number, prefix: string): void => {
    for (const [index, step] of list.entries()) {
      left -= 1;
      if (left < 0) return;
      const number = `${prefix}${index + 1}.`;
      lines.push(`${'   '.repeat(depth)}${number} ${stepText(step)}`);
      if (!isFields(step) || depth + 1 >= deepest) continue;
      for (const key of nested) {
        const inner = step[key];
        if (Array.isArray(inner)) add(inner.flat(), depth + 1, number);
      }
    }
  };
  add(steps, 0, '');
  if (left < 0) lines.push(`… and more: this summary ends after ${mostSteps} steps.`);
  return lines;
}

function stepText(step: unknown): string {
  if (!isFields(step)) return line(step) ?? '(a step without a name)';
  const label = line(step.id) ?? line(step.name);
  const action = actions.map(key => line(step[key])).find(each => each !== undefined);
  const description = line(step.description);
  const head = [label, action === label ? undefined : action].filter(each => each !== undefined).join(': ');
  return [head || '(a step without a name)', description].filter(each => each !== undefined).join(' - ');
}

function inputLines(inputs: unknown): string[] {
  const entries: unknown[] = isFields(inputs)
    ? Object.entries(inputs).map(([name, each]) => (isFields(each) ? { ...each, name } : name))
    : Array.isArray(inputs)
      ? inputs
      : [];
  return entries.slice(0, mostSteps).map(each => `- ${stepText(each)}`);
}

/** A text on one line, or nothing. */
function line(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'string') return undefined;
  const text = value.replaceAll(/\s+/g, ' ').trim();
  if (text === '') return undefined;
  return text.length > longestLine ? `${text.slice(0, longestLine - 1)}…` : text;
}

/** Whether what a client answers is what it was asked for. */
import { createSchemas, messageOf, summary } from '../../../kernel/index.ts';
import { isObject, type Json } from '../../../schemas/loose.ts';
import { isSurelyQuick } from '../../../schemas/schema-risk.ts';
import { mcpErrors } from '../errors.ts';

const schemas = createSchemas();
const actions = ['accept', 'decline', 'cancel'];

/** Why filled-in content does not match a form; nothing when it does, or when looking could hold this thread for long. */
function contentProblem(form: Json, content: unknown): string | undefined {
  if (!isSurelyQuick(form)) return undefined;
  try {
    const problems = schemas.compile(form)(content);
    return problems && summary(problems);
  } finally {
    schemas.release(form);
  }
}

function problemOf(method: string, params: Json, answer: unknown): string | undefined {
  if (!isObject(answer)) return 'it is no object';
  const { action, content, role, roots } = answer;
  if (method === 'roots/list') return Array.isArray(roots) ? undefined : '"roots" must be a list';
  if (method === 'sampling/createMessage') {
    const said = typeof role === 'string' && typeof content === 'object' && content !== null;
    return said ? undefined : 'a message needs "role" and "content"';
  }
  if (method !== 'elicitation/create') return undefined;
  if (!actions.includes(action as string)) return `"action" must be one of ${actions.join(', ')}`;
  const { requestedSchema } = params;
  return action === 'accept' && isObject(requestedSchema) ? contentProblem(requestedSchema, content ?? {}) : undefined;
}

/** Throws SVC_MCP_BAD_QUESTION for a form whose schema is none: nobody could answer it. */
export function assertAnswerable(method: string, { requestedSchema }: Json): void {
  if (method !== 'elicitation/create' || !isObject(requestedSchema)) return;
  const problems = schemas.check(requestedSchema);
  if (problems) throw mcpErrors.BAD_QUESTION({ method, reason: `its schema is invalid: ${summary(problems)}` });
}

/** The answer, or SVC_MCP_BAD_ANSWER. */
export function checkedAnswer(method: string, params: Json, answer: unknown): unknown {
  let reason: string | undefined;
  try {
    reason = problemOf(method, params, answer);
  } catch (error) {
    throw mcpErrors.BAD_QUESTION({ method, reason: messageOf(error) });
  }
  if (reason !== undefined) throw mcpErrors.BAD_ANSWER({ method, reason });
  return answer;
}

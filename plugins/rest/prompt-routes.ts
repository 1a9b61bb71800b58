/** `GET /v1/prompts` and `GET /v1/prompts/{name}?args=<json object>` (shape:instance). */

import type { FastifyInstance } from 'fastify';
import { messageOf } from '../../kernel/index.ts';
import { isObject, type Json } from '../../schemas/loose.ts';
import type { RestPrompts, RouteTools } from './api.ts';
import { restErrors } from './errors.ts';
import { pathOf } from './openapi.ts';

const list = { operationId: 'prompts', summary: 'Prompts that can be rendered' };
const render = {
  operationId: 'prompt',
  summary: 'Render one prompt',
  params: pathOf({ name: 'Name of a prompt' }),
  querystring: { type: 'object', properties: { args: { description: 'Its arguments: one JSON object.' } } },
};

export function addPromptRoutes(routes: FastifyInstance, prompts: RestPrompts, tools: RouteTools): void {
  routes.get('/prompts', { schema: list }, async (request, reply) => {
    const listed = await prompts.list();
    return { total: listed.length, prompts: listed, request_id: tools.requestId(request, reply) };
  });
  routes.get<{ Params: { name: string }; Querystring: { args?: unknown } }>(
    '/prompts/:name',
    { schema: render },
    async ({ params, query }, reply) => prompts.render(params.name, argumentsOf(query.args), tools.goneSignal(reply)),
  );
}

/** The arguments of the query; none when it has none. */
function argumentsOf(text: unknown): Json {
  if (text === undefined) return {};
  if (typeof text !== 'string') throw restErrors.BAD_ARGS({ reason: 'it is given more than once' });
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    throw restErrors.BAD_ARGS({ reason: messageOf(error) });
  }
  if (!isObject(parsed)) throw restErrors.BAD_ARGS({ reason: 'it is another kind of value' });
  return parsed;
}

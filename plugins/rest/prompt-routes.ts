/** GET /v1/prompts and /v1/prompts/{name}?args=<json object> (CONTRACT 5). */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { messageOf } from '../../kernel/index.ts';
import type { PromptsService } from '../prompts/api.ts';
import { restErrors } from './errors.ts';

export interface PromptRoutesDeps {
  prompts: PromptsService;
  requestId(request: FastifyRequest, reply: FastifyReply): string;
}

export function addPromptRoutes(routes: FastifyInstance, { prompts, requestId }: PromptRoutesDeps): void {
  routes.get('/prompts', async (request, reply) => {
    await prompts.settled();
    const listed = prompts.list();
    return { total: listed.length, prompts: listed, request_id: requestId(request, reply) };
  });

  routes.get<{ Params: { name: string }; Querystring: { args?: unknown } }>(
    '/prompts/:name',
    async ({ params, query }) => {
      const args = parseArgs(query.args);
      await prompts.settled();
      return prompts.render(params.name, args);
    },
  );
}

/** The arguments of the query; none when it has none. */
export function parseArgs(text: unknown): Record<string, unknown> {
  if (text === undefined) return {};
  if (typeof text !== 'string') throw restErrors.BAD_ARGS({ reason: 'it is given more than once' });
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    throw restErrors.BAD_ARGS({ reason: messageOf(error) });
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    throw restErrors.BAD_ARGS({ reason: 'it is another kind of value' });
  }
  return parsed as Record<string, unknown>;
}

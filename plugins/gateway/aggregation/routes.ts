/** `GET /v1/prompts` and `GET /v1/prompts/{name}?args=<json object>` of the gateway (CONTRACT 5). */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { BackendPrompts } from './backend-prompts.ts';
import { aggregationErrors } from './errors.ts';

export function addPromptRoutes(
  routes: FastifyInstance,
  prompts: BackendPrompts,
  requestId: (request: FastifyRequest, reply: FastifyReply) => string,
): void {
  routes.get('/prompts', async (request, reply) => {
    const listed = await prompts.list();
    return { total: listed.length, prompts: listed, request_id: requestId(request, reply) };
  });

  routes.get<{ Params: { name: string }; Querystring: { args?: unknown } }>(
    '/prompts/:name',
    async (request, reply) => {
      requestId(request, reply);
      return prompts.render(request.params.name, argumentsOf(request.query.args));
    },
  );
}

function argumentsOf(text: unknown): Record<string, unknown> {
  if (text === undefined) return {};
  try {
    const parsed: unknown = JSON.parse(String(text));
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed))
      return parsed as Record<string, unknown>;
  } catch {
    // Told below, as any other text that is no object.
  }
  throw aggregationErrors.BAD_ARGS();
}

/** `/v1/approvals`: what waits to be accepted, and its acceptance. For operators: no tool of an agent leads here. */
import type { FastifyInstance } from 'fastify';
import { isObject, text } from '../../../schemas/loose.ts';
import type { ApprovalsService } from './api.ts';
import { approvalErrors } from './errors.ts';

export function addApprovalRoutes(routes: FastifyInstance, approvals: ApprovalsService): void {
  routes.get(
    '/v1/approvals',
    {
      schema: {
        operationId: 'approvals',
        summary: 'Tools that say something else of themselves than what was approved',
      },
    },
    async () => {
      const pending = await approvals.pending();
      return { mode: approvals.mode, total: pending.length, pending };
    },
  );
  routes.post(
    '/v1/approvals/accept',
    { schema: { operationId: 'accept_approval', summary: 'Accept what a skill or a server says of its tools now' } },
    async request => {
      const body = isObject(request.body) ? request.body : {};
      const name = text(body.key) ?? text(body.name);
      if (name === undefined) throw approvalErrors.BAD_REQUEST({ reason: '"name" or "key" must say what is accepted' });
      return { accepted: await approvals.accept({ name, fingerprint: text(body.fingerprint) }) };
    },
  );
}

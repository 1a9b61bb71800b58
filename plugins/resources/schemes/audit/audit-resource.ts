/** `audit://recent?limit=`: the tail of the audit ring. */
import { rpcErrors } from '../../../../kernel/index.ts';
import type { AuditService } from '../../../audit/api.ts';
import type { ResourceProducer } from '../../api.ts';

export const auditUri = 'audit://recent';
const mimeType = 'application/json';
const limits = { standard: 50, most: 500 };
const description = `The last tool calls, oldest first: ${limits.standard} of them, or ?limit= up to ${limits.most}`;

export function createAuditProducer(audit: Pick<AuditService, 'recent'>): ResourceProducer {
  return {
    scheme: 'audit',
    list: () => [{ uri: auditUri, name: 'Recent tool calls', description, mimeType }],
    templates: () => [{ uriTemplate: `${auditUri}?limit={limit}`, name: 'Recent tool calls', description, mimeType }],
    read(uri) {
      const [base, query = ''] = uri.split('?', 2);
      if (base !== auditUri) return undefined;
      const limit = limitOf(new URLSearchParams(query));
      const entries = audit.recent(limit);
      return [{ uri, mimeType, text: JSON.stringify({ limit, count: entries.length, entries }) }];
    },
  };
}

/** More than the most is the most; what is no number is refused. */
function limitOf(query: URLSearchParams): number {
  for (const [name, value] of query) {
    if (name !== 'limit') throw bad(`"${name}" is not a parameter of audit://recent (use limit)`);
    if (!/^\d{1,9}$/.test(value)) throw bad('"limit" must be a whole number');
  }
  return Math.min(Number(query.get('limit') ?? limits.standard), limits.most);
}

const bad = (reason: string) => rpcErrors.INVALID_PARAMS({ reason });

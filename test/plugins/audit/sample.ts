/** A record of a call, as a gateway makes it. */
import { type CallRecord, callRecord } from '../../../schemas/call-record.ts';

/** `name` is its tool and its request. */
export function record(name: string, args: unknown = {}): CallRecord {
  const headers = {
    'user-agent': 'studio/2',
    cookie: 'session=1',
    traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
  };
  const record = callRecord({
    ...{ transport: 'rest', headers, peer: '127.0.0.1', client: undefined, meta: {} },
    ...{
      operation: undefined,
      route: undefined,
      slug: name,
      tool: name,
      skill: null,
      dccType: undefined,
      instanceId: undefined,
    },
    ...{ requestId: name, traceId: '', sessionId: undefined, traceparent: '', parentRequestId: undefined },
    ...{ ok: true, errorKind: undefined, error: undefined, toolMs: undefined },
    ...{ arrived: 1, began: 1, sent: 0, answered: 0, ended: 2, args: {}, answer: '{"a":1}' },
  });
  return { ...record, args };
}

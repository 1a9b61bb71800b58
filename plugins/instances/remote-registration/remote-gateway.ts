/** The registration routes of a gateway, as their client: what may pass by itself is tried again. */
import { Agent, RetryAgent, request } from 'undici';
import { objectOf, parsed, text } from '../../../schemas/loose.ts';
import { remoteErrors } from './errors.ts';

export interface RemoteGatewayParts {
  /** Origin of the gateway, and what its paths begin with. */
  url: URL;
  token(): Promise<string | undefined>;
  /** Its connection has ended: it may have been restarted, and know nobody. */
  onLost(): void;
}

export interface Receipt {
  readonly operation: string;
  readonly heartbeat_interval_secs: number;
}

const timeoutMs = 5000;
const retries = {
  maxRetries: 4,
  minTimeout: 200,
  maxTimeout: 10_000,
  timeoutFactor: 2,
  methods: ['POST' as const],
  statusCodes: [429, 500, 502, 503, 504],
  // The last answer says why.
  throwOnError: false,
};

export type RemoteGateway = ReturnType<typeof createRemoteGateway>;

export function createRemoteGateway({ url, token, onLost }: RemoteGatewayParts) {
  const agent = new Agent({ headersTimeout: timeoutMs, bodyTimeout: timeoutMs, connect: { timeout: timeoutMs } });
  agent.on('disconnect', onLost);
  const patient = new RetryAgent(agent, retries);

  return {
    /** Resolves with the receipt; undefined when the gateway does not know the instance. Rejects with why not. */
    async post(operation: string, body: object, { insist = true } = {}): Promise<Receipt | undefined> {
      const bearer = await token();
      const answer = await request(`${url.origin}${url.pathname.replace(/\/$/, '')}/v1/instances/${operation}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
        },
        body: JSON.stringify(body),
        dispatcher: insist ? patient : agent,
      });
      const said = objectOf(parsed(await answer.body.text()));
      const { statusCode: status } = answer;
      if (status === 404 && operation === 'heartbeat') return undefined;
      if (status !== 200) {
        const reason = text(objectOf(said.error).message) ?? text(said.message) ?? 'it does not say why';
        throw remoteErrors.REFUSED({ status, reason });
      }
      return {
        operation: String(said.operation),
        heartbeat_interval_secs: Math.max(1, Number(said.heartbeat_interval_secs) || 1),
      };
    },
    close: () => agent.destroy(),
  };
}

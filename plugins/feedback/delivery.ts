/** Brings a finding to the gateway and holds the receipt against it: what does not fit is no success. */
import { randomUUID } from 'node:crypto';
import { messageOf } from '../../kernel/index.ts';
import type { Finding } from '../../schemas/finding.ts';
import { isUuid, type Json, objectOf, parsed, text } from '../../schemas/loose.ts';
import { withTimeout } from '../../schemas/with-timeout.ts';
import type { FeedbackReceipt } from './api.ts';
import type { Gateway } from './gateway.ts';

const timeoutMs = 5000;
const mostAnswer = 65_536;
/** For whoever runs the server: an agent has no token to give. */
const howToEnter =
  '. This server shows the key of a gateway of its own user, and any other a token with the scope call: ' +
  'gateway_token_provider of registerFeedbackTool, or remote_gateway_token_file for the gateway of remote_gateway_url';
const eventsUri = 'resources://gateway/events';

/** Why a report was not accepted: a code of the contract, in words, and the status where there is one. */
export interface Undelivered {
  error:
    | 'gateway_feedback_unavailable'
    | 'gateway_feedback_rejected'
    | 'gateway_feedback_invalid_receipt'
    | 'transport_desync';
  message: string;
  status_code?: number;
}

export type Delivery = { receipt: FeedbackReceipt } | Undelivered;

/** Nothing for a gateway that is switched off. Never rejects. */
export async function deliver(gateway: Gateway | undefined, finding: Finding, signal: AbortSignal): Promise<Delivery> {
  if (gateway === undefined) {
    return unavailable('the gateway is switched off (gateway_port 0): start it, or report elsewhere');
  }
  const { url } = gateway;
  let authorization: string | undefined;
  try {
    authorization = await gateway.authorization();
  } catch (error) {
    return unavailable(`the token for the gateway at ${url} cannot be read: ${messageOf(error)}`);
  }
  const requestId = randomUUID();
  let response: Response;
  let body: Json;
  try {
    response = await fetch(`${url}/v1/feedback`, {
      method: 'POST',
      headers: {
        ...{ accept: 'application/json', 'content-type': 'application/json', 'x-request-id': requestId },
        ...(authorization !== undefined && { authorization }),
      },
      body: JSON.stringify(finding),
      redirect: 'error',
      signal: withTimeout(signal, timeoutMs),
    });
    body = objectOf(parsed(await readText(response)));
  } catch (error) {
    const { cause } = error as Error;
    return unavailable(
      `the gateway at ${url} does not answer: ${(cause as NodeJS.ErrnoException | undefined)?.code ?? messageOf(cause ?? error)}`,
    );
  }
  const { status: status_code } = response;
  if (status_code !== 201) {
    const said = text(objectOf(body.error).message) ?? text(body.message) ?? `status ${status_code}`;
    const accepted = status_code < 300;
    const message = accepted
      ? `the gateway answered ${status_code}, not 201`
      : `${said.slice(0, 1000)}${status_code === 401 || status_code === 403 ? howToEnter : ''}`;
    return { error: accepted ? 'gateway_feedback_invalid_receipt' : 'gateway_feedback_rejected', message, status_code };
  }
  if (response.headers.get('x-request-id') !== requestId) {
    return { error: 'transport_desync', message: 'the answer belongs to another request', status_code };
  }
  const wrong = problemOf(body, finding);
  if (wrong === undefined) return { receipt: body as unknown as FeedbackReceipt };
  return {
    error: 'gateway_feedback_invalid_receipt',
    message: `the receipt is not for this report: ${wrong}`,
    status_code,
  };
}

const unavailable = (message: string): Undelivered => ({ error: 'gateway_feedback_unavailable', message });

/** What does not fit. */
function problemOf(receipt: Json, { schema_version, fingerprint }: Finding): string | undefined {
  const { ok, success, feedback_id, recorded_at, event_resource_uri } = receipt;
  const fits: Record<string, boolean> = {
    ok: ok === true,
    success: success === true,
    feedback_id: isUuid(String(feedback_id)),
    recorded_at: /^\d{4}-\d\d-\d\dT/.test(String(recorded_at)) && Number.isFinite(Date.parse(String(recorded_at))),
    event_resource_uri: event_resource_uri === eventsUri,
    schema_version: receipt.schema_version === schema_version,
    fingerprint: receipt.fingerprint === fingerprint,
  };
  const wrong = Object.keys(fits).find(each => !fits[each]);
  return wrong && `"${wrong}" does not fit`;
}

/** No more of an answer than a receipt can be. */
async function readText(response: Response): Promise<string> {
  let size = 0;
  const chunks: Uint8Array[] = [];
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > mostAnswer) throw new Error(`its answer is larger than ${mostAnswer} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** One way to provoke a kind, and what every refusal must look like (shape:envelope). */
import { expect } from 'vitest';
import type { Json, RestAnswer } from '../../rest/support.ts';
import type { Hosts } from './hosts.ts';
import { requestId, type World } from './world.ts';

export interface Scene extends Hosts {
  world: World;
}

export interface Case {
  kind: string;
  status: number;
  what: string;
  provoke(scene: Scene): Promise<RestAnswer>;
  /** Members that the error must have beside kind and shape. */
  told?: Json;
  /** Seconds that it may take, where a host must end or a time must pass. */
  timeout?: number;
}

/** What 429 and 503 add, and nothing else does. */
function checkRetry({ status, headers }: RestAnswer): void {
  if (status === 429 || status === 503) expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1);
  else expect(headers['retry-after']).toBeUndefined();
}

/** The gateway's envelope: one nested object. */
export function checkNested(answer: RestAnswer, { kind, status, told = {} }: Case): void {
  const { success, ...body } = answer.json;
  const error = body.error as Json;
  expect({ status: answer.status, kind: error?.kind }, answer.text).toEqual({ status, kind });
  expect(Object.keys(body)).toEqual(['error']);
  if (success !== undefined) expect(success).toBe(false);
  expect(error).toMatchObject({ message: expect.stringMatching(/\S/), candidates: expect.any(Array) });
  for (const name of ['previous_status', 'previous_instance_id', 'recommended_next_action']) {
    expect([null, 'string'], name).toContain(error[name] === null ? null : typeof error[name]);
  }
  expect([true, false, null]).toContain(error.retryable);
  expect(error).toMatchObject(told);
  expect(answer.headers['x-request-id']).toBe(requestId);
  checkRetry(answer);
}

/** The instance's envelope: flat. */
export function checkFlat(answer: RestAnswer, { kind, status, told = {} }: Case): void {
  const { json } = answer;
  expect({ status: answer.status, kind: json.kind }, answer.text).toEqual({ status, kind });
  expect(json).toMatchObject({ message: expect.stringMatching(/\S/), request_id: requestId, ...told });
  // What is refused at the door speaks to every kind of client.
  if (kind !== 'unauthorized') expect(json.error).toBeUndefined();
  expect(answer.headers['x-request-id']).toBe(requestId);
  checkRetry(answer);
}

/** What a gateway and an instance agree on for the channel of a session: how it is told of, asked for, and written. */

/** Header of the answer to `initialize` of a gateway, where the instance serves channels. */
export const channelHeader = 'svc-channel';

/** Target of the CONNECT that opens one; the session stands in its headers. */
export const channelTarget = 'svc-channel:2';

/** An answer that has another status than 200 over HTTP begins its line with it and a space. */
export const refusalLine = (status: number, json: string): string => `${status} ${json}`;

/** The status and the message of a line. */
export function refusalIn(line: string): { status: number; json: string } {
  if (line.charCodeAt(0) === brace) return { status: 200, json: line };
  return { status: Number(line.slice(0, 3)), json: line.slice(4) };
}

/** A message that a request brings before its answer, a notification or a question, begins its line with the number of that. */
export const belongingLine = (id: number, json: string): string => `>${id} ${json}`;

/** The number of the request and the message of such a line; undefined for another. */
export function belongingIn(line: string): { id: number; json: string } | undefined {
  if (line.charCodeAt(0) !== greater) return undefined;
  const end = line.indexOf(' ');
  return { id: Number(line.slice(1, end)), json: line.slice(end + 1) };
}

const brace = 123;
const greater = 62;

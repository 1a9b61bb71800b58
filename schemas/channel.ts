/** What a gateway and an instance agree on for the channel of a session: how it is told of, asked for, and written. */

/** Header of the answer to `initialize` of a gateway, where the instance serves channels. */
export const channelHeader = 'svc-channel';

/** Target of the CONNECT that opens one; the session stands in its headers. */
export const channelTarget = 'svc-channel:1';

/** An answer that has another status than 200 over HTTP begins its line with it and a space. */
export const refusalLine = (status: number, json: string): string => `${status} ${json}`;

/** The status and the message of a line. */
export function refusalIn(line: string): { status: number; json: string } {
  if (line.charCodeAt(0) === brace) return { status: 200, json: line };
  return { status: Number(line.slice(0, 3)), json: line.slice(4) };
}

const brace = 123;

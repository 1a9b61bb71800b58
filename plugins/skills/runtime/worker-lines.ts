/** Batches as text between the server and a skill's process: one JSON item a line, which costs half of Node's own channel. */
import type { Item } from './worker-protocol.ts';

/** Longer lines are nobody's result: whoever sends one is not listened to any more. */
const longestLine = 128 * 1024 * 1024;

export function encodeLines(batch: readonly Item[]): string {
  let text = '';
  for (const item of batch) text += `${JSON.stringify(item)}\n`;
  return text;
}

/** Gathers what arrives; `receive` hears every whole line at once. Throws when a line has no end, or is no JSON. */
export function createLineReader(receive: (batch: Item[]) => void): (text: string) => void {
  let parts: string[] = [];
  let length = 0;
  return text => {
    const end = text.lastIndexOf('\n');
    if (end < 0) {
      length += text.length;
      if (length > longestLine) throw new Error('a message without end');
      parts.push(text);
      return;
    }
    parts.push(text.slice(0, end));
    const whole = parts.join('');
    const rest = text.slice(end + 1);
    parts = rest === '' ? [] : [rest];
    length = rest.length;
    receive(whole.split('\n').map(line => JSON.parse(line) as Item));
  };
}

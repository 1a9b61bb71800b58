/** Names of prompts at the gateway: `i_<id8>__<escaped>`, of letters, digits and underscores alone (shape:prompts). */

const short: Readonly<Record<string, string>> = { _: 'U', '.': 'D', '-': 'H' };
const long: Readonly<Record<string, string>> = { U: '_', D: '.', H: '-' };

/** A name of an instance as the gateway shows it. */
export function shownPrompt(name: string, id8: string): string {
  const escaped = name.replace(/[^A-Za-z0-9]/gu, each => {
    const known = short[each];
    if (known !== undefined) return `_${known}_`;
    return [...Buffer.from(each)].map(byte => `_X${byte.toString(16).toUpperCase().padStart(2, '0')}_`).join('');
  });
  return `i_${id8}__${escaped}`;
}

/** The instance that a name of the gateway means, and the instance's own name; undefined when it is none. */
export function ownPrompt(shown: string): { id: string; name: string } | undefined {
  const [, id, escaped] = /^i_([0-9a-f-]{4,36})__((?:[A-Za-z0-9]|_(?:[UDH]|X[0-9A-F]{2})_)+)$/.exec(shown) ?? [];
  if (id === undefined || escaped === undefined) return undefined;
  const bytes = [...escaped.matchAll(/_X(..)_|_([UDH])_|([A-Za-z0-9])/g)].map(([, hex, letter, plain]) =>
    hex === undefined ? Buffer.from(plain ?? long[letter ?? ''] ?? '') : Buffer.from(hex, 'hex'),
  );
  return { id, name: Buffer.concat(bytes).toString() };
}

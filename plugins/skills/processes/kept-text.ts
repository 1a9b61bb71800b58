/** Texts of any length that are kept in part: what programs print. Pure. */

/** At most `limit` characters of a text: its beginning and its end, which name the cause, and how much is missing. */
export function cutMiddle(text: string, limit: number): string {
  const kept = createKeptText(limit);
  kept.add(text);
  return kept.text();
}

/** Gathers a text of any length and keeps the first and the last half of `limit` characters. */
export function createKeptText(limit: number) {
  const half = Math.floor(limit / 2);
  let head = '';
  let tail = '';
  let missing = 0;
  return {
    add(more: string): void {
      const room = half - head.length;
      head += more.slice(0, Math.max(room, 0));
      const rest = tail + more.slice(Math.max(room, 0));
      tail = rest.slice(-half);
      missing += rest.length - tail.length;
    },
    text: (): string => (missing === 0 ? head + tail : `${head}\n[... ${missing} characters left out ...]\n${tail}`),
  };
}

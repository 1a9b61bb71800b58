/** A snapshot as text: made once, on the thread that has the value. */

export function sceneText(snapshot: unknown): string | null {
  if (snapshot === null || snapshot === undefined) return null;
  const text = JSON.stringify(snapshot) as string | undefined;
  if (text === undefined) throw new TypeError(`a scene snapshot must be JSON, not a ${typeof snapshot}`);
  return text;
}

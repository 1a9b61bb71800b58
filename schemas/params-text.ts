/** Arguments as short JSON text without secrets, made within a fixed budget whatever their size. */
import { censored, isSecretKey, withoutSecrets } from './redaction.ts';

const maxValues = 64;
const maxDepth = 4;
const maxText = 200;
const longestRead = 4096;

/** JSON text of `value` with secrets censored; what exceeds the budget is replaced by `"..."`. */
export function paramsText(value: unknown): string {
  if (typeof value === 'string') return paramsText(parsed(value));
  let left = maxValues;
  const shorten = (each: unknown, depth: number): unknown => {
    left -= 1;
    if (left < 0) return '...';
    if (typeof each === 'string') return short(each);
    if (typeof each === 'bigint' || typeof each === 'function' || typeof each === 'symbol') return typeof each;
    if (typeof each !== 'object' || each === null) return each;
    if (depth >= maxDepth) return '...';
    if (Array.isArray(each)) return each.slice(0, Math.max(left, 1)).map(item => shorten(item, depth + 1));
    const found: Record<string, unknown> = Object.create(null);
    for (const key in each) {
      if (left <= 0) break;
      found[short(key)] = isSecretKey(key) ? censored : shorten((each as Record<string, unknown>)[key], depth + 1);
    }
    return found;
  };
  return JSON.stringify(shorten(value ?? {}, 0));
}

/** The beginning of a text, cleaned before it is cut: half a credential looks like none. */
function short(text: string): string {
  const clean = withoutSecrets(text.slice(0, longestRead));
  return clean.length > maxText || text.length > longestRead ? `${clean.slice(0, maxText)}...` : clean;
}

/** Whether a value is within the budget as it is, so that it may be kept and made into text only when somebody asks. */
export function isSmall(value: unknown): boolean {
  let left = maxValues;
  const fits = (each: unknown, depth: number): boolean => {
    left -= 1;
    if (left < 0) return false;
    if (typeof each === 'string') return each.length <= maxText;
    if (typeof each !== 'object' || each === null) return true;
    if (depth >= maxDepth) return false;
    for (const key in each) {
      if (key.length > maxText || !fits((each as Record<string, unknown>)[key], depth + 1)) return false;
    }
    return true;
  };
  return fits(value, 0);
}

/** Parameters that an event carries as text; text that is too long to parse cheaply stays text. */
function parsed(text: string): unknown {
  if (text.length > 4096) return { text: '...' };
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' ? value : {};
  } catch {
    return {};
  }
}

/** Templates with `{{argument}}` placeholders: cut into parts once, rendered in one pass, never evaluated. */
import { argumentName } from '../../schemas/prompt.ts';

/** Literal text, or the argument whose value stands here. */
export type TemplatePart = string | { readonly argument: string };

/** The parts of `text`; only placeholders that name one of `known` are cut out, all others are literal text. */
export function compileTemplate(text: string, known: ReadonlySet<string>): readonly TemplatePart[] {
  const parts: TemplatePart[] = [];
  let from = 0;
  for (const found of text.matchAll(new RegExp(`\\{\\{[ \\t]{0,16}(${argumentName})[ \\t]{0,16}\\}\\}`, 'g'))) {
    const argument = found[1] as string;
    if (!known.has(argument)) continue;
    if (found.index > from) parts.push(text.slice(from, found.index));
    parts.push({ argument });
    from = found.index + found[0].length;
  }
  if (from < text.length) parts.push(text.slice(from));
  return parts;
}

/** The text with `values` in place, or undefined when it would be longer than `limit`. Values are not looked into. */
export function renderTemplate(
  parts: readonly TemplatePart[],
  values: ReadonlyMap<string, string>,
  limit: number,
): string | undefined {
  const texts: string[] = [];
  let length = 0;
  for (const part of parts) {
    const text = typeof part === 'string' ? part : (values.get(part.argument) ?? '');
    length += text.length;
    if (length > limit) return undefined;
    texts.push(text);
  }
  return texts.join('');
}

/** Names and patterns in which `*` stands for any text, and nothing else is special. */
import { isMatch } from 'matcher';

/** Whether a text is like one of the patterns. The library reads a leading `!` as "not", and `\` as an escape. */
export const isLike = (text: string, patterns: readonly string[], { caseSensitive = true } = {}): boolean =>
  patterns.some(each => isMatch(text, each.replaceAll(/^!|\\/g, '\\$&'), { caseSensitive }));

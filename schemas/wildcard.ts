/** Names and patterns in which `*` stands for any text, and nothing else is special. */
import { isMatch } from 'matcher';

/** Whether a pattern has marks of other globs, which would stand for themselves here and so fit nothing. */
export const isOtherGlob = (pattern: string): boolean => /[?[\]{}]/.test(pattern);

/** Whether a text is like one of the patterns. The library reads a leading `!` as "not", and `\` as an escape. */
export const isLike = (text: string, patterns: readonly string[], { caseSensitive = true } = {}): boolean =>
  patterns.some(each => isMatch(text, each.replaceAll(/^!|\\/g, '\\$&'), { caseSensitive }));

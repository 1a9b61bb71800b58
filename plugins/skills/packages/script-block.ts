/** The blocks of settings that a Python script may have in its comments (PEP 723): each ends with the last such line of its comment. */

const line = '(?:#(?: .*)?\\r?\\n)';
const of = (type: string): string => `^# /// ${type}[ \\t]*\\r?\\n`;

/** What the script needs: the text of the block is the first group. */
export const scriptBlock = new RegExp(`${of('script')}(${line}+?)# ///[ \\t]*$`, 'm');

/** Any of them; also one that is cut off, as in the beginning of a script. */
const anyBlock = new RegExp(
  `${of('[a-zA-Z0-9-]+')}(?:${line}+?# ///[ \\t]*(?:\\r?\\n|$)|${line}*(?:#.*)?$(?![^]))`,
  'gm',
);

export const withoutBlocks = (text: string): string => text.replaceAll(anyBlock, '');

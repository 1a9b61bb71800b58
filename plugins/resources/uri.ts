/** The shape of a resource URI: canonical, so that one resource has one name and no path escapes its producer. */
import { resourceErrors } from './errors.ts';

const longest = 4096;
const shape = /^([a-z][a-z0-9+.-]*):\/\/([^\s\p{Cc}]*)$/u;

/** The scheme of a well-formed URI; throws SVC_RESOURCES_BAD_URI that says what is wrong. */
export function schemeOf(uri: unknown): string {
  if (typeof uri !== 'string' || uri === '') throw bad('"uri" is required and must be a string');
  if (uri.length > longest) throw bad(`it is longer than ${longest} characters`);
  const [, scheme, rest] = shape.exec(uri) ?? [];
  if (scheme === undefined || rest === undefined) {
    throw bad(
      /^[A-Za-z][\w+.-]*:\/\//.test(uri)
        ? 'a scheme is written in lower case, and no blank or control character may occur'
        : 'it must look like scheme://path',
    );
  }
  const decoded = decode(rest);
  if (/\p{Cc}/u.test(decoded)) throw bad('no control character may occur, encoded or not');
  const path = decoded.split(/[?#]/)[0] ?? '';
  if (path.split(/[/\\]/).some(part => part === '..' || part === '.')) throw bad('"." and ".." segments are refused');
  return scheme;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw bad('its percent-encoding is broken');
  }
}

const bad = (reason: string) => resourceErrors.BAD_URI({ reason });

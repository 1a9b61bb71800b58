/** The shape of a resource URI: canonical, so that one resource has one name and no path escapes its producer. */
import { resourceErrors } from './errors.ts';

const longest = 4096;
/** Of one without a path, such as `data:`, which holds what it names. */
const longestOpaque = 65_536;
const shape = /^([a-z][a-z0-9+.-]*):(\/\/)?([^\s\p{Cc}\p{Cs}]*)$/u;
/** Rounds of percent-decoding that are looked through for a path that hides behind its encoding. */
const rounds = 3;
/** A segment "." or ".." in what stands before the query. */
const dotSegment = /^(?:[^?#]*[/\\])?\.\.?(?:[/\\?#]|$)/;

/** The scheme of a well-formed URI; throws SVC_RESOURCES_BAD_URI that says what is wrong. */
export function schemeOf(uri: unknown): string {
  if (typeof uri !== 'string' || uri === '') throw bad('"uri" is required and must be a string');
  const limit = isOpaque(uri) ? longestOpaque : longest;
  if (uri.length > limit) throw bad(`it is longer than ${limit} characters`);
  const [, scheme, path, rest] = shape.exec(uri) ?? [];
  if (scheme === undefined || rest === undefined || (path ?? rest) === '') {
    throw bad(
      /^[A-Za-z][\w+.-]*:\/\//.test(uri)
        ? 'a scheme is written in lower case, and no blank or control character may occur'
        : 'it must look like scheme://path',
    );
  }
  refuseEscapes(rest);
  let text = rest;
  for (let round = 0; round < rounds; round += 1) {
    if (!text.includes('%')) break;
    const decoded = decode(text, round > 0);
    if (decoded === text) break;
    refuseEscapes(decoded);
    text = decoded;
  }
  return scheme;
}

/** Whether a URI has no path that could be escaped from, such as `urn:isbn:0451450523`. */
export const isOpaque = (uri: string): boolean => !/^[^:]*:\/\//.test(uri);

/** What no URI has as it is, such as blanks; a percent sign is taken for one that encodes. */
const foreign = /[^\w.~:/?#[\]@!$&'()*+,;=%-]/gu;

/** A URI as it is listed and told: what a producer calls `x://a b` is `x://a%20b` to clients. */
export const listedUri = (uri: string): string =>
  uri.replace(foreign, each => (/\p{Cs}/u.test(each) ? each : encodeURIComponent(each)));

function refuseEscapes(text: string): void {
  if (/\p{Cc}/u.test(text)) throw bad('no control character may occur, encoded or not');
  if (dotSegment.test(text)) throw bad('"." and ".." segments are refused');
}

/** What is decoded already may hold a percent sign of its own. */
function decode(text: string, lenient: boolean): string {
  try {
    return decodeURIComponent(text);
  } catch {
    if (lenient) return text;
    throw bad('its percent-encoding is broken');
  }
}

const bad = (reason: string) => resourceErrors.BAD_URI({ reason });

/** A URI without its query. */
export const baseOf = (uri: string): string => uri.split('?', 1)[0] as string;

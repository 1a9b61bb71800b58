/** Parameters of a resource URI: what is not known, or has another type, is refused by name. */
import { gatewaySchemeErrors } from './errors.ts';

/** Reads the query of `uri`; throws SVC_SCHEME_GATEWAY_BAD_QUERY for a parameter that is not of `known`. */
export function queryOf(uri: string, known: readonly string[]) {
  const [base = uri, text = ''] = uri.split('?', 2);
  const query = new URLSearchParams(text);
  const bad = (reason: string) => gatewaySchemeErrors.BAD_QUERY({ uri: base, reason });
  for (const name of query.keys()) {
    if (!known.includes(name)) {
      throw bad(`"${name}" is not a parameter of it${known.length > 0 ? ` (use ${known.join(', ')})` : ''}`);
    }
  }
  return {
    text: (name: string): string | undefined => query.get(name) ?? undefined,
    flag(name: string): boolean | undefined {
      const value = query.get(name);
      if (value === null) return undefined;
      if (value === 'true' || value === '1') return true;
      if (value === 'false' || value === '0') return false;
      throw bad(`"${name}" must be true or false`);
    },
    count(name: string, standard: number, most: number): number {
      const value = query.get(name);
      if (value === null) return standard;
      if (!/^\d{1,9}$/.test(value)) throw bad(`"${name}" must be a whole number`);
      return Math.min(Number(value), most);
    },
  };
}

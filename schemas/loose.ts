/** Reading what others wrote: no shape is trusted, nothing is thrown. Pure. */

export type Json = Record<string, unknown>;

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The object, or one without members. */
export const objectOf = (value: unknown): Json => (isObject(value) ? value : {});

/** A text that is not empty, or nothing. */
export const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** The texts of a list. */
export const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each): each is string => text(each) !== undefined) : [];

/** The objects of a list. */
export const objects = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isObject) : []);

/** The value of a JSON text; undefined for what is none. */
export function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** An object, JSON text of one, or none for nothing at all; undefined for what is something else. */
export function objectIn(given: unknown): Json | undefined {
  if (given === undefined || given === null || given === '') return {};
  const value = typeof given === 'string' ? parsed(given) : given;
  return isObject(value) ? value : undefined;
}

export const isUuid = (id: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id);

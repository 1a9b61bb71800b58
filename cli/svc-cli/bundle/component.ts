/** A part of a bundle: what was found, or why it is not there. */
export type Component =
  | { status: 'included'; data: unknown }
  | { status: 'not_applicable' | 'unavailable'; reason: string };

export const included = (data: unknown): Component => ({ status: 'included', data });
export const notApplicable = (reason: string): Component => ({ status: 'not_applicable', reason });
export const unavailable = (reason: string): Component => ({ status: 'unavailable', reason });

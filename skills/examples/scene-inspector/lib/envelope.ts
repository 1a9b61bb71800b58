/** The result envelope every tool of this skill answers with, and the errors that become one. */

export interface Envelope {
  success: boolean;
  message: string;
  error: string | null;
  context: Record<string, unknown>;
}

/** A failure that the caller can act on: `code` is stable, the message says what to do. */
export class SceneError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = 'SceneError';
    this.code = code;
  }
}

export function succeed(message: string, context: Record<string, unknown>): Envelope {
  return { success: true, message, error: null, context };
}

/** Runs a tool body; a SceneError becomes a failed envelope, everything else (an abort, a bug) is thrown on. */
export async function answer<T>(body: () => Promise<T>, context: Record<string, unknown> = {}): Promise<T | Envelope> {
  try {
    return await body();
  } catch (error) {
    if (!(error instanceof SceneError)) throw error;
    return { success: false, message: error.message, error: error.code, context };
  }
}

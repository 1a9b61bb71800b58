/** What was thrown, which may be anything. Pure. */

/** The message of any thrown value, also of one that refuses to become a string. */
export function messageOf(error: unknown): string {
  try {
    return error instanceof Error ? String(error.message) : String(error);
  } catch {
    return `a thrown ${typeof error} without a message`;
  }
}

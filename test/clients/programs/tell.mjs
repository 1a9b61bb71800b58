/** What a client shows, told as lines of JSON: `{step, shown}`, or `{step, threw}` for what it throws. */

/** What is asked of every client, as the runner has it for this target. */
export const [, , url, text] = process.argv;
export const plan = JSON.parse(text ?? '{}');

export async function tell(step, work) {
  try {
    const shown = (await work()) ?? '';
    console.log(JSON.stringify({ step, shown: typeof shown === 'string' ? shown : JSON.stringify(shown) }));
  } catch (error) {
    console.log(JSON.stringify({ step, threw: `${error?.name} ${error?.code ?? ''}: ${error?.message}` }));
  }
}

/** What the server asks the host about its prompts. */

export const renderQuestion = 'prompts.render';

export interface RenderQuestion {
  key: number;
  args: Record<string, string>;
  /** What `askOperation` names it by. */
  rendering: number;
}

/** Operation: asks the client for whom a prompt is rendered. */
export const askOperation = 'askForPrompt';

/** What the server asks the host about its prompts. */

export const renderQuestion = 'prompts.render';

export interface RenderQuestion {
  key: number;
  args: Record<string, string>;
}

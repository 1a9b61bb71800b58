/** Lines of the log for people: one line each, colours unless the environment says otherwise. */
import { prettyFactory } from 'pino-pretty';

/** Makes text of a line of JSON. */
export const logText = (colorize: boolean): ((line: string) => string) => {
  const text = prettyFactory({ colorize, translateTime: 'SYS:HH:MM:ss', singleLine: true });
  return line => text(line) ?? line;
};

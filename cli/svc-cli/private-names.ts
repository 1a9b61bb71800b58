/** Words of this machine that the public need not read: whose account it is, and how it is called. */
import { hostname, userInfo } from 'node:os';

export const privateNames = (): string[] => {
  const names = [hostname()];
  try {
    names.push(userInfo().username);
  } catch {
    // Without an entry among the users there is no name.
  }
  return names;
};

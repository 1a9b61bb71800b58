/** What the server asks the producers of the host; every member can cross a port. */

export const questions = { list: 'resources.list', read: 'resources.read', complete: 'resources.complete' } as const;

export interface ReadQuestion {
  key: number;
  uri: string;
  maxBytes: number;
}

export interface CompleteQuestion {
  key: number;
  uriTemplate: string;
  variable: string;
  value: string;
}

/** Families of events that only the server tells: policies, audits and receivers of webhooks rely on them. */
const families =
  'approval audit backend capabilities client feedback gateway guardian instance internal job lease policy prompt prompts ' +
  'resource resources server skill tool tools traffic webhook workflow';
const reserved = new Set(families.split(' '));

/** Whether skills and hosts may not use a name: `tool`, `tool.completed`; `toolbox.opened` is theirs. */
export const isReservedEvent = (name: string): boolean => reserved.has(name.split('.', 1)[0] ?? '');

/** Which scenarios are asked for by name: the suite has sets of its own for the rest. */

/** The scored set of 2025-11-25: every one of them needs a session. */
export const stateful = [
  ...['server-initialize', 'logging-set-level', 'ping', 'completion-complete', 'tools-list'],
  ...['tools-call-simple-text', 'tools-call-image', 'tools-call-audio', 'tools-call-embedded-resource'],
  ...['tools-call-mixed-content', 'tools-call-with-logging', 'tools-call-error', 'tools-call-with-progress'],
  ...['tools-call-sampling', 'tools-call-elicitation', 'elicitation-sep1034-defaults', 'server-sse-multiple-streams'],
  ...['elicitation-sep1330-enums', 'resources-list', 'resources-read-text', 'resources-read-binary'],
  ...['resources-templates-read', 'resources-subscribe', 'resources-unsubscribe', 'prompts-list'],
  ...['prompts-get-simple', 'prompts-get-with-args', 'prompts-get-embedded-resource', 'prompts-get-with-image'],
  'dns-rebinding-protection',
];

export const tasks = [
  ...['tasks-lifecycle', 'tasks-capability-negotiation', 'tasks-wire-fields', 'tasks-request-state-removal'],
  ...['tasks-mrtr-input', 'tasks-request-headers', 'tasks-dispatch-and-envelope', 'tasks-status-notifications'],
  ...['tasks-required-task-error', 'tasks-mrtr-composition'],
];

export const skills = ['sep-2640-skills-enumeration', 'sep-2640-skills-manifest', 'sep-2640-skills-directory'];

/**
 * What a server passes that offers nothing of the fixture, by wire revision. Two more that need none elsewhere are not
 * here: they subscribe to a resource of the fixture, and a URI is checked before it is followed.
 */
export const fixtureFree = {
  '2025-11-25': [
    ...['server-initialize', 'server-session-lifecycle', 'logging-set-level', 'ping', 'tools-list'],
    ...['server-sse-multiple-streams', 'resources-list', 'prompts-list', 'dns-rebinding-protection'],
  ],
  '2026-07-28': [
    ...['tools-list', 'server-sse-multiple-streams', 'resources-list', 'prompts-list', 'caching'],
    ...['dns-rebinding-protection', 'http-header-validation', 'sep-2164-resource-not-found'],
    'input-required-result-unsupported-methods',
  ],
} as const;

/** What cannot pass in the rows that are meant, with the reason; anything else that fails is a failure. */
export const impossible: readonly { row: RegExp; scenario: string; reason: string }[] = [
  {
    row: /2025-06-18 wire/,
    scenario: 'elicitation-sep1330-enums',
    reason: 'the schema of 2025-06-18 knows no list of choices (SEP-1330 came later)',
  },
  {
    row: /embedded: .*2025-03-26 wire/,
    scenario: 'tools-call-with-progress',
    reason: 'in 2025-03-26 a token makes a job of the call of a host tool, whose receipt comes at once',
  },
];

/** What the suite itself always skips; of any other scenario of an extension a skip means that it is not declared. */
export const skippedBySuite: readonly string[] = ['tasks-status-notifications'];

/** Shapes that the specification leaves open, as they were decided: what a comment cites as `shape:<name>` stands here. */
import { section } from '../requirement.ts';

const answers = section('shape', 'Payloads of health, readiness and lists', {
  health: 'GET /health, /v1/healthz and /v1/readyz answer with ok, and with what is missing while a host is not ready.',
  instances: 'GET /instances and /v1/instances answer total, by_source and the full rows of the live instances.',
  'instance-views':
    'gateway://instances and one instance below it carry the rows, their counts and the context of the one.',
  diagnostics: 'gateway://diagnostics/* tells process, audit and metrics of the gateway itself.',
  catalog: 'gateway://catalog is the bundled index of adapter packages, one entry by its exact name.',
  'gateway-events': 'The ring of operational events has one line of JSON for each, the newest last.',
});

const rest = section('shape', 'REST routes', {
  encoding:
    'An answer is TOON or JSON: the body field decides, then Accept, then the setting; compact forms go out as TOON.',
  correlation: 'Every answer carries X-Request-ID, taken from the request or made, and the trace that came with it.',
  envelope:
    'A failure is one envelope with kind, message and status by kind: nested at the gateway, flat at an instance.',
  family: 'search, describe, load_skill, unload_skill and call have the same routes at an instance and at the gateway.',
  search: 'A search answers hits with slug, summary, score, reasons and the next step, ready to be sent.',
  describe: 'describe answers one tool with its schema and routing record, or one skill.',
  load: 'load_skill and unload_skill act on one instance, and say which tools came and went.',
  call: 'call answers with the result of the tool; meta carries async, waiting and leases.',
  batch: 'A batch runs in order and keeps the outcome of each call; it stops where it was told to.',
  openapi: 'GET /v1/openapi.json describes the routes.',
  instance: 'Resources, prompts and jobs have REST routes with the shapes of an instance, event streams included.',
  auth: 'A token, where one is configured, is a bearer token; without one only peers of the machine may.',
});

const tools = section('shape', 'Tools', {
  'gateway-tools': 'The four tools of the gateway take what their REST twins take, and answer JSON text or TOON.',
  'builtin-inputs': 'Every built-in tool publishes an input schema with its parameters.',
  'builtin-outputs': 'A built-in tool answers with JSON text.',
  lazy: 'The three meta-tools list, describe and call what lazy mode hides.',
  naming: 'A published name is bare where it is unique, else <skill>__<action>; REST says <dcc>.<skill>.<action>.',
});

const packages = section('shape', 'Skill packages', {
  declarations: 'tools.yaml and groups.yaml declare tools and groups.',
  scripts: 'A script tool gets its arguments on stdin and as flags, and answers on stdout.',
  result: 'What a handler returns becomes content, structured content or an envelope with success.',
  skipped: 'A refused package is a row with a reason code and a suggested fix.',
  'search-paths': 'Skills are looked for in explicit, bundled, user and environment paths, in that order of scope.',
  dependencies: 'Dependencies load first; a cycle is refused.',
  prompts: 'Prompts come from prompts.yaml or one file each; at the gateway they are i_<id8>__<name>.',
});

const resources = section('shape', 'Resources', {
  'gateway-uri': 'scheme://rest of an instance is scheme://<id8>/rest at the gateway.',
  debug: '/v1/debug/* and the admin routes read what the gateway knows and what passed through it.',
  'issue-report': 'An issue report of a call is public-safe by default; mode=raw is for callers of the machine itself.',
  'audit-rows': 'Rows of audit.jsonl and traces.jsonl: who made a call, what it cost, where its time went.',
  audit: 'A record of audit://recent is one tool call with time, actor, parameters, duration and outcome.',
  'session-events': 'A page of events://session has events, next_cursor and what was kept and dropped.',
  artefact: 'An artefact is a file by its hash with a sidecar of its name, type, ids and expiry.',
  openusd: 'An entry of a manifest of openusd:// names its kind, project and file.',
});

const jobs = section('shape', 'Jobs, events, topology', {
  job: 'A job is admitted with a receipt that says how to poll it; its row survives where storage is set.',
  poll: 'A type of job is polled as its launching tool declared, and its files on disk count as progress.',
  'job-notifications': 'A transition of a job and a step of a workflow are told with their ids and states.',
  'tool-events': 'A tool event says slug, name, duration and result; error_kind says why a call failed.',
  election: 'A gateway in a server gives way to a newer version, then to a newer adapter.',
  register: 'A remote instance registers and beats by HTTP, and is dropped when it falls silent.',
  discovery: 'Instances come by mDNS and through relays as well, each probed before it counts.',
});

export const shapes = [...answers, ...rest, ...tools, ...packages, ...resources, ...jobs];

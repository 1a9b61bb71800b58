/** Rules of "Event bus", "Built-in events", "Vetoes", "Event envelope". */
import { decided, section } from '../requirement.ts';

const envelope = section('envelope', 'Event envelope', {
  fields: 'An envelope has schema_version, name, id, timestamp_ns, source, correlation and attributes.',
  id: 'The id of an event has the prefix ev_ and is not used twice.',
  timestamp: 'timestamp_ns counts nanoseconds since the epoch.',
});

const bus = section('bus', 'Event bus', {
  exact: 'A subscription to an exact name receives that event only.',
  prefix: 'A subscription to prefix.* receives every event under the prefix.',
  'catch-all': 'A subscription to * receives every event.',
  subscribe: 'subscribe returns a subscription id.',
  unsubscribe: 'unsubscribe takes name and id and ends the subscription.',
  publish: 'publish is the legacy form: subscribers receive the attributes alone.',
  emit: 'emit hands the envelope to every matching subscriber.',
  before: 'before registers a blocking policy hook.',
  isolation: 'A failing subscriber does not stop later ones.',
  reentrant: 'A callback may subscribe or unsubscribe.',
  shared: 'The dispatcher exposes its bus, and the skill catalogue shares it.',
});

const builtin = section('event', 'Built-in events', {
  'tool.dispatched':
    'tool.dispatched is emitted when a call passed look-up, policy and validation and is about to run.',
  'tool.completed': 'tool.completed is emitted when the handler returned successfully.',
  'tool.failed': 'tool.failed is emitted when look-up, policy, validation or the handler failed.',
  'tool-attributes':
    'Tool events carry tool_slug and tool_name, and what is known of host type, skill, group, annotations.',
  'tool-terminal': 'Terminal tool events carry duration_ms and result_success.',
  'result-success': 'result_success is the success member of the output when it has one, otherwise true.',
  'skill-attributes': 'Skill events carry skill_name, dcc_type, version, path, tool counts and the registered names.',
  'skill-failure': 'A failed skill event carries error_kind and error_message.',
  'skill.loading': 'skill.loading is emitted when a load begins.',
  'skill.loaded': 'skill.loaded is emitted when the skill has registered its tools.',
  'skill.unloaded': 'skill.unloaded is emitted when the tools are removed.',
  'skill.validation_failed': 'skill.validation_failed is emitted when a skill could not load.',
  'failure-kinds': decided('See shape:tool-events.', 'error_kind of tool.failed names why the call failed.'),
  'traffic.frame': 'traffic.frame is an opt-in gateway traffic frame.',
  'webhook.delivery_failed':
    'webhook.delivery_failed is emitted after the last retry, with the original event and the error.',
});

const vetoes = section('veto', 'Vetoes', {
  allow: 'A hook that returns nothing or false allows.',
  'reason-string': 'A reason string is a veto.',
  'reason-object': 'An object with reason and code is a veto.',
  helper: 'The veto helper of the bus makes a veto from reason and code.',
  exception: 'A hook that throws vetoes.',
  unsupported: 'An unsupported truthy return value vetoes.',
  names: 'Only skill.loading, tool.dispatched, resource.subscribed and client.initialize can be vetoed.',
  'tool-call': 'A vetoed tool call returns the structured error EVENT_VETOED.',
  'tool-event': 'A vetoed tool call emits tool.failed with error_kind event_vetoed, veto_code and veto_reason.',
  'skill-load': 'A vetoed skill load is rejected and emits skill.validation_failed with the same veto fields.',
});

const webhooks = section('webhook', 'Webhooks', {
  file: 'The file is SVC_WEBHOOKS_CONFIG, else webhooks.yaml in the etc directory, which SVC_ETC_DIR overrides.',
  headers: 'Static headers may reference variables of the environment.',
  filters: 'Rules map a path to a glob: rules are ORed, the conditions of one ANDed.',
  body: 'The body is the envelope, or payload_template with {{path.to.field}} resolved against it.',
  chatrobot: 'kind chatrobot wraps message_template, with its variables, as a markdown message.',
  shortcut: 'SVC_CHATROBOT_WEBHOOK_URL makes a chat robot without a file.',
  edits: 'The chat robot replaces an existing chatrobot-kind or same-named entry, and no other.',
});

const traffic = section('traffic', 'Traffic capture', {
  off: 'Capture is off by default.',
  quick: 'SVC_TRAFFIC_CAPTURE=jsonl:<path> writes the event envelope of each frame as a row.',
  frame:
    'A frame has capture_id, direction, leg, transport, safe HTTP metadata, MCP metadata and a JSON body with size_bytes and redacted_paths.',
  legs: 'The four legs of tools/call traffic are captured.',
  production: 'SVC_PROD_PROFILE=1 refuses capture unless SVC_FORCE_TRAFFIC_CAPTURE=1.',
  config: 'The file has enabled, sinks of three kinds, include and exclude filters with wildcards, and replacements.',
  redaction: 'Redaction runs before any sink writes.',
  paths: 'Relative paths of sinks start at the folder of the file; TIMESTAMP in them expands once when a sink opens.',
});

export const events = [...envelope, ...bus, ...builtin, ...vetoes, ...webhooks, ...traffic];

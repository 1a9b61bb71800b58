/** Rules of "Skill states", "Session lifecycle", "Tool-list cache". */
import { decided, section } from '../requirement.ts';

const skills = section('skill', 'Skill states', {
  'load-registers': 'Loading an unloaded, valid skill makes it loaded and registers its tools.',
  'load-events': 'Loading emits skill.loading, then skill.loaded.',
  'load-list-changed': 'Loading sends tools/list_changed.',
  'load-missing': 'Loading a skill that does not exist fails, emits skill.validation_failed and changes nothing.',
  'load-dependency':
    'Loading a skill with a dependency issue fails, emits skill.validation_failed and leaves it unloaded.',
  'load-setup':
    'Loading a skill whose set-up does not validate fails, emits skill.validation_failed and leaves it unloaded.',
  'load-vetoed': 'A vetoed load fails, emits skill.validation_failed and leaves the skill unloaded.',
  'load-dependencies-first': decided('In topological order.', 'Loading a skill loads what it depends on first.'),
  'load-cycle': decided('A dependency issue.', 'A cycle of dependencies is refused.'),
  'unload-removes': 'Unloading a loaded skill removes its tools.',
  'unload-event': 'Unloading emits skill.unloaded.',
  'unload-list-changed': 'Unloading sends tools/list_changed.',
  'load-idempotent': 'Loading a loaded skill again changes nothing and succeeds.',
  'unload-idempotent': 'Unloading a skill that is not loaded changes nothing and succeeds.',
  'group-activate': 'activate_tool_group expands the __group__<name> stub into the member tools.',
  'group-deactivate': 'deactivate_tool_group collapses the member tools into the stub.',
});

const sessions = section('session', 'Session lifecycle', {
  'id-issued': 'A session is identified by the Mcp-Session-Id header that the initialize response carries.',
  'delete-ends': 'DELETE on the endpoint ends the session: its id is unknown afterwards.',
  'delete-subscriptions': 'DELETE drops all resource subscriptions of the session.',
  'idle-evicted': 'A session that is idle for longer than session_ttl_secs is evicted.',
  'evicted-cache': 'The tool-list cache of an evicted session is dropped with it.',
  'work-protects': decided('A running call is not idleness.', 'A call in flight keeps its session from being evicted.'),
  'id-missing': decided('400, as MCP asks.', 'A request without a session id after initialization is refused.'),
  'id-unknown': decided('404, as MCP asks.', 'A request with an unknown session id is refused.'),
});

const cache = section('cache', 'Tool-list cache', {
  'snapshot-served': 'While the registry generation stands, tools/list answers from the stored snapshot.',
  'generation-rebuild': 'When the generation has moved, tools/list answers with the rebuilt list.',
  'cleared-on-load': 'Loading a skill clears the cache of every session.',
  'cleared-on-unload': 'Unloading a skill clears the cache of every session.',
  'cleared-on-group': 'Activating or deactivating a tool group clears the cache of every session.',
  refresh: '_meta.dcc.refresh true bypasses the cache for that request only.',
});

export const states = [...skills, ...sessions, ...cache];

/** Rules of "Resource record and read result", "Built-in resources", and the notifications of resources. */
import { decided, section } from '../requirement.ts';

const resources = section('resource', 'Resource record and read result', {
  record: 'A listed record has uri, name, description and mimeType.',
  contents: 'resources/read returns contents, each with uri, mimeType, and either text or a base64 blob.',
  pages: decided('As tools/list.', 'resources/list is paginated; a cursor that the server did not issue is -32602.'),
  templates: decided('MCP.', 'resources/templates/list lists the URI templates of the schemes.'),
  subscriptions: 'Subscriptions are per session.',
  unsubscribe: 'After resources/unsubscribe the session hears nothing of the URI.',
});

const builtins = section('scheme', 'Built-in resources', {
  'scene-current': 'scene://current is the current scene snapshot.',
  'scene-cleared': 'After clearing, scene://current has the status no_snapshot.',
  'scene-delta': 'scene://delta has base_revision, revision and a bounded list of changes.',
  'scene-notifies': 'Both scene URIs notify on a change of the scene.',
  'scene-identical': 'An identical snapshot notifies nobody.',
  'session-events': 'events://session/<id> is a page of the event buffer, by cursor and limit.',
  'session-events-drain': 'drain=true removes the returned events and all older ones.',
  'session-events-bounds': 'A buffer has maxlen and max_message_bytes.',
  capture: 'capture://current_window is listed only where a capture backend exists.',
  audit: 'audit://recent is the tail of the audit log.',
  artefact: 'artefact://sha256/<hex> is a content-addressed artefact.',
  openusd: 'The openusd:// family serves the manifests of a project.',
});

const projects = section('usd', 'Project resources (`openusd://` family)', {
  uris: 'openusd://stage and the six manifests are listed, each with its MIME type.',
  registration: 'The helper takes project_root, stage, layers, validation (name plus content) and project_label.',
  entry: 'An entry has uri, name, description, mimeType, kind, project_root_label, and a file_ref where it is a file.',
});

const notifications = section('notify', 'MCP notifications', {
  'resource-updated': 'notifications/resources/updated is sent for a subscribed URI that changed.',
  'resource-list-changed': decided('MCP.', 'notifications/resources/list_changed is sent when the list changes.'),
});

export const resourceRules = [...resources, ...builtins, ...projects, ...notifications];

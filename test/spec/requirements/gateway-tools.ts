/** Rules of "Gateway endpoints" and "Gateway MCP tools" about finding, loading and calling tools. */
import { decided, section } from '../requirement.ts';

const endpoints = section('gateway-rest', 'Gateway endpoints', {
  readyz: 'GET /v1/readyz tells the readiness of the gateway and of its backends.',
  search: 'POST /v1/search searches compact backend capability records.',
  describe: 'POST /v1/describe gives schema, annotations and routing record of one tool_slug.',
  load_skill: 'POST /v1/load_skill loads a skill or toggles a tool group.',
  call: 'POST /v1/call invokes one backend capability by tool_slug.',
  call_batch: 'POST /v1/call_batch is an ordered batch of calls.',
  encoding: 'The family answers in a compact non-JSON encoding by default.',
  'encoding-json': 'Accept: application/json or the body field response_format = json get JSON.',
  errors: decided('One nested envelope, statuses by kind: shape:envelope.', 'Failures have an envelope and a status.'),
  openapi: decided('See shape:openapi.', 'GET /v1/openapi.json describes the routes.'),
});

const tools = section('gateway-tool', 'Gateway MCP tools', {
  four: 'The gateway lists exactly four tools: search, describe, load_skill, call.',
  older: 'search_tools, describe_tool, call_tool and call_tools are accepted and not advertised.',
  describe: 'describe gives schema and detail for one tool_slug or skill_name.',
  call: 'call invokes one tool_slug, or an ordered batch given as calls.',
  workflow: 'The workflow is search, describe, load_skill when needed, then call, with slugs from search.',
  forwards: 'The gateway executes no tool itself: every call goes to the backend that owns it.',
});

export const gatewayToolRules = [...endpoints, ...tools];

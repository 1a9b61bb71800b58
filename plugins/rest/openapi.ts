/** GET /v1/openapi.json: the routes that this gateway has, described from our own schemas. Pure. */
import { packageVersion } from '../../../kernel/index.ts';
import {
  CallBatchRequestSchema,
  CallRequestSchema,
  LoadSkillRequestSchema,
  RestDescribeRequestSchema,
  RestSearchRequestSchema,
  UnloadSkillRequestSchema,
} from '../../../schemas/gateway.ts';
import {
  AnyAnswerSchema,
  BatchAnswerSchema,
  CallAnswerSchema,
  DescribeAnswerSchema,
  FailureSchema,
  LoadAnswerSchema,
  ReadyAnswerSchema,
  SearchAnswerSchema,
  SkillListSchema,
  UnloadAnswerSchema,
} from '../../../schemas/gateway-answer.ts';

type Schema = object;

interface Documented {
  id: string;
  summary: string;
  /** Other answers than JSON or TOON. */
  type?: string;
  /** Answers in TOON as well, as the client asks. */
  negotiated?: true;
  body?: Schema;
  answer?: Schema;
}

const negotiated = true as const;

/** By method and path, as the router spells it. */
const documented: Readonly<Record<string, Documented>> = {
  'POST /v1/search': {
    id: 'search',
    summary: 'Search tools of every instance',
    negotiated,
    body: RestSearchRequestSchema,
    answer: SearchAnswerSchema,
  },
  'POST /v1/describe': {
    id: 'describe',
    summary: 'Schema, annotations and routing of one tool',
    negotiated,
    body: RestDescribeRequestSchema,
    answer: DescribeAnswerSchema,
  },
  'GET /v1/tools/:slug': { id: 'tool', summary: 'The same by path', negotiated, answer: DescribeAnswerSchema },
  'POST /v1/load_skill': {
    id: 'load_skill',
    summary: 'Load a skill or switch a tool group',
    negotiated,
    body: LoadSkillRequestSchema,
    answer: LoadAnswerSchema,
  },
  'POST /v1/unload_skill': {
    id: 'unload_skill',
    summary: 'Unload a skill',
    negotiated,
    body: UnloadSkillRequestSchema,
    answer: UnloadAnswerSchema,
  },
  'POST /v1/call': {
    id: 'call',
    summary: 'Call one tool by its slug',
    negotiated,
    body: CallRequestSchema,
    answer: CallAnswerSchema,
  },
  'POST /v1/call_batch': {
    id: 'call_batch',
    summary: 'Call several tools in order',
    negotiated,
    body: CallBatchRequestSchema,
    answer: BatchAnswerSchema,
  },
  'GET /v1/skills': { id: 'skills', summary: 'Tools of loaded skills', answer: SkillListSchema },
  'GET /v1/readyz': { id: 'readyz', summary: 'Readiness of the gateway and its instances', answer: ReadyAnswerSchema },
  'GET /health': { id: 'health', summary: 'Health' },
  'GET /v1/health': { id: 'health_v1', summary: 'Health' },
  'GET /v1/healthz': { id: 'healthz', summary: 'Liveness' },
  'GET /instances': { id: 'instances', summary: 'Live instances' },
  'GET /v1/instances': { id: 'instances_v1', summary: 'Live instances' },
  'GET /v1/instances/:id/context': { id: 'instance_context', summary: 'One instance in full' },
  'POST /v1/instances/register': { id: 'register', summary: 'Register a remote instance', body: AnyAnswerSchema },
  'POST /v1/instances/heartbeat': { id: 'heartbeat', summary: 'Renew a remote instance', body: AnyAnswerSchema },
  'POST /v1/instances/deregister': { id: 'deregister', summary: 'Remove a remote instance', body: AnyAnswerSchema },
  'GET /v1/resources': { id: 'resources', summary: 'Resources of the gateway and its instances' },
  'GET /v1/resources/:uri': { id: 'resource', summary: 'Read one resource' },
  'GET /v1/prompts': { id: 'prompts', summary: 'Prompts of every instance' },
  'GET /v1/prompts/:name': { id: 'prompt', summary: 'Render one prompt' },
  'GET /v1/jobs/:id/events': { id: 'job_events', summary: 'Events of one job', type: 'text/event-stream' },
  'DELETE /v1/jobs/:id': { id: 'job_cancel', summary: 'Cancel one job' },
  'POST /v1/feedback': { id: 'feedback', summary: 'Submit a finding', body: AnyAnswerSchema },
  'GET /v1/openapi.json': { id: 'openapi', summary: 'This description' },
};

/** The OpenAPI 3.1 document; `hasRoute` says which routes there are. */
export function openapiDocument(
  title: string,
  hasRoute: (method: string, url: string) => boolean,
): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [route, described] of Object.entries(documented)) {
    const [method = '', url = ''] = route.split(' ');
    if (!hasRoute(method, url)) continue;
    const path = url.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [method.toLowerCase()]: operationOf(method, url, described) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: `${title} gateway`,
      version: packageVersion,
      description: 'One address for the tools of every running instance: search, describe, load_skill, call.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    paths,
    components: { schemas: { Failure: plain(FailureSchema) } },
  };
}

function operationOf(method: string, url: string, described: Documented): Record<string, unknown> {
  const { id, summary, type, body, answer, negotiated: isNegotiated } = described;
  const parameters = [...url.matchAll(/:(\w+)/g)].map(([, name]) => ({
    ...{ name, in: 'path', required: true, description: `The ${name}, percent-encoded.`, schema: { type: 'string' } },
  }));
  const types = isNegotiated ? ['application/json', 'application/toon'] : [type ?? 'application/json'];
  const content = (schema: Schema) =>
    Object.fromEntries(
      types.map(each => [each, each === 'application/json' ? { schema } : { schema: { type: 'string' } }]),
    );
  const ok =
    method === 'DELETE'
      ? { 204: { description: 'Done' } }
      : { 200: { description: 'The answer', content: content(plain(answer ?? AnyAnswerSchema)) } };
  return {
    operationId: id,
    summary,
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: { required: true, content: { 'application/json': { schema: plain(body) } } } }),
    responses: {
      ...ok,
      ...(isNegotiated && {
        default: { description: 'A failure', content: content({ $ref: '#/components/schemas/Failure' }) },
      }),
    },
  };
}

/** As JSON carries it: without what the schema library keeps for itself. */
const plain = (schema: Schema): Schema => JSON.parse(JSON.stringify(schema)) as Schema;

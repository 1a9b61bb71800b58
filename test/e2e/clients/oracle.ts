/** What every message of the server must look like, by revision: the members that the protocol's schemas require. */
import type { Json, RpcMessage } from '../../spec/wire.ts';

export type Revision = '2025-03-26' | '2025-06-18' | '2025-11-25';

const contentTypes: Record<Revision, readonly string[]> = {
  '2025-03-26': ['text', 'image', 'audio', 'resource'],
  '2025-06-18': ['text', 'image', 'audio', 'resource', 'resource_link'],
  '2025-11-25': ['text', 'image', 'audio', 'resource', 'resource_link'],
};
const levels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === 'string';
const isId = (value: unknown): boolean => isText(value) || Number.isInteger(value);

/** Problems of any message; `method` is the request that a response answers. */
export function problemsOf(message: RpcMessage, revision: Revision, method?: string): string[] {
  const problems: string[] = [];
  const must = (holds: boolean, problem: string): void => {
    if (!holds) problems.push(problem);
  };
  must(message.jsonrpc === '2.0', 'jsonrpc is not 2.0');
  if (message.method !== undefined) {
    must(isText(message.method), 'method is not a text');
    must(message.params === undefined || isObject(message.params), 'params is not an object');
    must(!('result' in message) && !('error' in message), 'a request carries an answer');
    if (message.id !== undefined) must(isId(message.id), 'the id of a request is neither text nor integer');
    return [...problems, ...notificationProblems(message)];
  }
  must('result' in message !== 'error' in message, 'not exactly one of result and error');
  if ('error' in message) {
    const { error, id } = message;
    must(isId(id) || id === null || (id === undefined && revision === '2025-11-25'), 'the id of an error is wrong');
    must(Number.isInteger(error?.code), 'error.code is not an integer');
    must(isText(error?.message) && error.message !== '', 'error.message is empty');
    return problems;
  }
  must(isId(message.id), 'a result without an id');
  must(isObject(message.result), 'result is not an object');
  return [...problems, ...resultProblems(message.result ?? {}, revision, method)];
}

function notificationProblems({ method, params = {} }: RpcMessage): string[] {
  const problems: string[] = [];
  if (method === 'notifications/progress') {
    if (!isId(params.progressToken)) problems.push('progressToken is neither text nor integer');
    if (typeof params.progress !== 'number') problems.push('progress is not a number');
    if (params.total !== undefined && typeof params.total !== 'number') problems.push('total is not a number');
  }
  if (method === 'notifications/message') {
    if (!levels.includes(String(params.level))) problems.push(`level ${params.level} does not exist`);
    if (!('data' in params)) problems.push('a log message without data');
  }
  return problems;
}

function resultProblems(result: Json, revision: Revision, method: string | undefined): string[] {
  switch (method) {
    case 'initialize':
      return initializeProblems(result);
    case 'tools/list':
      return Array.isArray(result.tools)
        ? [
            ...(result.nextCursor === undefined || isText(result.nextCursor) ? [] : ['nextCursor is not a text']),
            ...result.tools.flatMap(tool => toolProblems(tool, revision)),
          ]
        : ['tools is not a list'];
    case 'tools/call':
      return callProblems(result, revision);
    default:
      return [];
  }
}

function initializeProblems({ protocolVersion, capabilities, serverInfo, instructions }: Json): string[] {
  const problems: string[] = [];
  if (!isText(protocolVersion)) problems.push('protocolVersion is not a text');
  if (!isObject(capabilities)) problems.push('capabilities is not an object');
  if (!isObject(serverInfo) || !isText(serverInfo.name) || !isText(serverInfo.version))
    problems.push('serverInfo is wrong');
  if (instructions !== undefined && !isText(instructions)) problems.push('instructions is not a text');
  return problems;
}

function toolProblems(tool: unknown, revision: Revision): string[] {
  if (!isObject(tool)) return ['a tool is not an object'];
  const problems: string[] = [];
  const named = `tool ${tool.name}`;
  if (!isText(tool.name) || !/^[A-Za-z0-9_.-]{1,128}$/.test(tool.name)) problems.push(`${named}: bad name`);
  for (const key of ['description', 'title']) {
    if (tool[key] !== undefined && !isText(tool[key])) problems.push(`${named}: ${key} is not a text`);
  }
  for (const key of ['inputSchema', 'outputSchema']) {
    const schema = tool[key];
    if (schema === undefined && key === 'outputSchema') continue;
    if (!isObject(schema) || schema.type !== 'object') problems.push(`${named}: ${key} is not of type object`);
  }
  if (tool.outputSchema !== undefined && revision === '2025-03-26') problems.push(`${named}: outputSchema is too new`);
  const { annotations = {} } = tool;
  if (!isObject(annotations)) return [...problems, `${named}: annotations is not an object`];
  for (const hint of ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint']) {
    if (annotations[hint] !== undefined && typeof annotations[hint] !== 'boolean') problems.push(`${named}: ${hint}`);
  }
  return problems;
}

function callProblems({ content, isError, structuredContent }: Json, revision: Revision): string[] {
  const problems: string[] = [];
  if (!Array.isArray(content)) return ['content is not a list'];
  for (const item of content as Json[]) {
    if (!contentTypes[revision].includes(String(item.type))) problems.push(`content of type ${item.type}`);
    if (item.type === 'text' && !isText(item.text)) problems.push('text content without text');
  }
  if (isError !== undefined && typeof isError !== 'boolean') problems.push('isError is not a boolean');
  if (structuredContent !== undefined && !isObject(structuredContent))
    problems.push('structuredContent is not an object');
  // The specification, which speaks that revision, has the receipt of a job in it.
  const receipt = isObject(structuredContent) && structuredContent.core_poll !== undefined;
  if (structuredContent !== undefined && revision === '2025-03-26' && !receipt) {
    problems.push('structuredContent is too new');
  }
  return problems;
}

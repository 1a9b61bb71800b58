/**
 * Listens in on every MCP message that a server of ours sends over HTTP, whatever client it talks to. Plain JavaScript,
 * so that it can be loaded into the built program, too: with `--import tap.mjs` in `NODE_OPTIONS` it writes what it
 * hears into the folder that `SVC_TEST_ORACLE` names. It changes no byte and waits for nothing; whether a message is right is judged elsewhere.
 */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { threadId } from 'node:worker_threads';

/** @typedef {{ revision: string, method: string | undefined, text: string }} Heard `method`: of the request that it answers. */

/** What is assumed of a message that belongs to no session and names no revision. */
const oldest = '2025-03-26';
const newest = '2026-07-28';
const newestOfSessions = '2025-11-25';
const known = ['2025-03-26', '2025-06-18', newestOfSessions, newest];
const envelope = 'io.modelcontextprotocol/protocolVersion';

/** Sessions by id: the revision that was agreed on, and methods of requests by id, for answers on other streams. */
const sessions = new Map();

/** Calls `report` with every message until the returned function is called: of `servers`, and of those to come. @param {(heard: Heard) => void} report */
export function tap(report, servers = []) {
  // Servers of ours are Fastify's; the others in a test's process play somebody else.
  const ours = new WeakSet(servers);
  const made = ({ fastify }) => ours.add(fastify.server);
  const begun = ({ request, response, socket, server }) => {
    if (!ours.has(server)) return;
    if (request.method === 'POST') followPost(request, response, report);
    else if (request.method === 'GET') followGet(request, response, socket, report);
  };
  subscribe('fastify.initialization', made);
  subscribe('http.server.request.start', begun);
  return () => {
    unsubscribe('fastify.initialization', made);
    unsubscribe('http.server.request.start', begun);
    sessions.clear();
  };
}

function followPost(request, response, report) {
  const { headers } = request;
  const body = [];
  const exchange = { headers, requests: undefined, session: undefined };
  const { push } = request;
  request.push = chunk => {
    if (chunk) body.push(chunk);
    return push.call(request, chunk);
  };
  const { writeHead } = response;
  response.writeHead = (...args) => {
    const given = args.at(-1);
    const names = typeof given === 'object' && given !== null && !Array.isArray(given) ? given : {};
    const id = Object.entries(names).find(([name]) => name.toLowerCase() === 'mcp-session-id')?.[1];
    exchange.session = String(id ?? response.getHeader('mcp-session-id') ?? '') || undefined;
    return writeHead.apply(response, args);
  };
  const said = text => {
    exchange.requests ??= parse(Buffer.concat(body).toString()) ?? [];
    hear(text, exchange, report);
  };
  follow(response, reader(said));
}

/** A stream that stands by itself is written to its socket, past the response. */
function followGet({ headers }, response, socket, report) {
  const exchange = { headers, requests: undefined, session: undefined };
  const read = reader(text => hear(text, exchange, report));
  const { write } = socket;
  let first = true;
  const stop = () => {
    if (socket.write === tapped) delete socket.write;
  };
  const tapped = (chunk, ...rest) => {
    const text = chunk.toString();
    // No event stream: nothing here is a message.
    if (first && !/text\/event-stream/i.test(text)) stop();
    else read(text);
    first = false;
    return write.call(socket, chunk, ...rest);
  };
  socket.write = tapped;
  response.on('close', stop);
}

/** Reads what is written to a response. */
function follow(response, read) {
  const { write, end } = response;
  response.write = (chunk, ...rest) => {
    read(chunk.toString());
    return write.call(response, chunk, ...rest);
  };
  response.end = (chunk, ...rest) => {
    if (chunk && typeof chunk !== 'function') read(chunk.toString());
    read(undefined);
    response.write = write;
    return end.call(response, chunk, ...rest);
  };
}

/** Takes text in pieces, nothing at its end; says each message: of a JSON body, or of each `data:` line of a stream. */
function reader(said) {
  let text = '';
  let isJson;
  // What is no JSON-RPC is no message: REST has streams of its own.
  const tell = whole => whole.includes('"jsonrpc"') && said(whole);
  return piece => {
    isJson ??= piece?.startsWith('{') || piece?.startsWith('[');
    if (piece !== undefined) text += piece;
    if (isJson) {
      if (piece === undefined) tell(text);
      return;
    }
    const lines = text.split('\n');
    text = lines.pop();
    for (const line of lines) if (line.startsWith('data: ')) tell(line.slice(6));
  };
}

function hear(text, { headers, requests: received = [], session: given }, report) {
  const batch = Array.isArray(received);
  const requests = batch ? received : [received];
  const parsed = parse(text);
  if (typeof parsed !== 'object' || parsed === null) return;
  const id = given ?? headers['mcp-session-id'];
  // What comes in a batch says nothing of its sender: sessions have them.
  const enveloped = batch ? undefined : requests[0]?.params?._meta?.[envelope];
  let opened;
  for (const message of Array.isArray(parsed) ? parsed : [parsed]) {
    if (message?.jsonrpc !== '2.0') continue;
    const request = requests.find(each => each?.id !== undefined && each.id === message.id);
    if (request?.method !== 'initialize' || !message.result?.protocolVersion) continue;
    // A session, whatever its handshake carried beside.
    opened = message.result.protocolVersion;
    if (id) sessions.set(id, { revision: opened, methods: new Map() });
  }
  const session = enveloped === undefined ? sessions.get(id) : undefined;
  const revision = opened ?? session?.revision ?? revisionOf(enveloped, headers, requests);
  if (session) for (const each of requests) if (each?.id !== undefined) session.methods.set(each.id, each.method);
  if (Array.isArray(parsed)) {
    report({ revision, method: undefined, text });
    return;
  }
  let { method } = requests.find(each => each?.id !== undefined && each.id === parsed.id) ?? {};
  if (parsed.method === undefined && session) {
    method ??= session.methods.get(parsed.id);
    session.methods.delete(parsed.id);
  }
  report({ revision, method: parsed.method === undefined ? method : undefined, text });
}

function revisionOf(enveloped, headers, requests) {
  if (enveloped !== undefined) return known.includes(enveloped) ? enveloped : newest;
  const handshake = requests.length === 1 && requests[0]?.method === 'initialize' ? requests[0] : undefined;
  const asked = handshake?.params?.protocolVersion;
  if (asked !== undefined) return known.includes(asked) ? asked : newestOfSessions;
  const named = headers['mcp-protocol-version'];
  return known.includes(named) ? named : oldest;
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const folder = process.env.SVC_TEST_ORACLE;

/** Keeps what was heard for the process of the test, before anybody receives it. @param {Heard} heard */
export function toFolder(heard) {
  if (folder) appendFileSync(join(folder, `${process.pid}-${threadId}.jsonl`), `${JSON.stringify(heard)}\n`);
}

// Loaded into a program of its own.
if (folder && process.env.NODE_OPTIONS?.includes('oracle/tap.mjs')) tap(toFolder);

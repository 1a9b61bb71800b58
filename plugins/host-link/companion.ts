/**
 * The companion of a host that is not Node: a server whose tools run at the other end of a pipe. It ends when the pipe does,
 * and with it everything that the host had registered or started.
 */
import { createHash, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Readable, Writable } from 'node:stream';
import {
  createSchemas,
  isSvcError,
  type JsonSchema,
  messageOf,
  packageVersion,
  type Validator,
} from '../../kernel/index.ts';
import { type Hello, HelloSchema, type HostMessages, hostMessages, longestLine } from '../../schemas/host-link.ts';
import type { ToolDefinition } from '../../schemas/tool.ts';
import type { HostScript } from '../skills/api.ts';
import type { ToolCall } from '../tools/api.ts';
import { createHostCalls, type HostCalls } from './calls.ts';
import { type Refusal, readHello } from './handshake.ts';
import { createLines, type Lines } from './lines.ts';
import type { LinkServer } from './link-server.ts';
import type { LinkState } from './link-state.ts';
import { startLiveness } from './liveness.ts';
import { linkOperation, linkStateOperation, scriptQuestion } from './questions.ts';
import { createRegistrations } from './registrations.ts';

/** What makes the server of a host, from its options. */
export interface HostServer {
  make(options: Record<string, unknown>): LinkServer;
  /** Bound of the calls that wait. */
  mostWaiting: number;
  /** Folder of what Python scripts of skills may import. */
  helpers: string;
  input: Readable;
  output: Writable;
  /** Resolves with the reason when somebody else asks for the end. */
  asked: Promise<string>;
}

type Handlers = { [Kind in keyof HostMessages]: (message: HostMessages[Kind]) => unknown };

interface LinkDeps extends HostServer {
  /** What a message must look like, by its type. */
  validators: ReadonlyMap<string, Validator>;
}

/** How long the first line may take. */
const helloMs = 10_000;
/** How long a server whose host is gone may take to close. */
const closeMs = 3000;

/** Serves the host at the other end of the streams until it is gone; resolves with the exit code. */
export async function serveHost(deps: HostServer): Promise<number> {
  const lines = createLines(deps.input, deps.output);
  const schemas = createSchemas();
  const first = await firstLine(lines);
  if (!first) return 0;
  const read = readHello(first, schemas.compile(HelloSchema as object as JsonSchema, 'own'), packageVersion);
  if ('reason' in read) return refuse(lines, deps.output, read);
  const { hello, protocol } = read;
  const heard = keepLines(lines);
  const validators = new Map<string, Validator>();
  for (const [kind, schema] of Object.entries(hostMessages))
    validators.set(kind, schemas.compile(schema as object as JsonSchema, 'own'));
  let serving: Awaited<ReturnType<typeof startServer>>;
  try {
    serving = await startServer({ ...deps, validators }, lines, hello);
  } catch (error) {
    const remedy = isSvcError(error) ? 'Correct the options of the host.' : 'See the log of the server.';
    return refuse(lines, deps.output, { reason: `The server does not start: ${messageOf(error)}.`, remedy });
  }
  const { server, service, link } = serving;

  lines.send({
    t: 'welcome',
    protocol,
    mcp_url: service.mcpUrl(),
    instance_id: service.instance_id,
    port: service.port,
    version: packageVersion,
    limits: { line_bytes: longestLine },
  });
  const gone = heard(message => void link.take(message), link.problem);
  void gone.then(link.endChildren);
  link.end(await Promise.race([gone, deps.asked, service.stopped().then(() => 'the server stopped')]));
  await Promise.race([server.close(), new Promise(resolve => setTimeout(resolve, closeMs).unref())]);
  return 0;
}

const hand = <K extends keyof HostMessages>(handlers: Handlers, message: HostMessages[K] & { t: K }): unknown =>
  handlers[message.t](message);

function firstLine(lines: Lines): Promise<Record<string, unknown> | undefined> {
  return new Promise(resolve => {
    const timer = setTimeout(() => resolve({ t: 'nothing' }), helloMs);
    const done = (message?: Record<string, unknown>): void => {
      clearTimeout(timer);
      resolve(message);
    };
    lines.listen({ message: done, bad: () => done({ t: 'nothing' }), end: () => done() });
  });
}

/** Keeps what is said while the server starts; the function that is returned hears it and all that follows. */
function keepLines(lines: Lines) {
  const early: Record<string, unknown>[] = [];
  let ended = false;
  lines.listen({
    message: message => void early.push(message),
    bad: () => undefined,
    end: () => {
      ended = true;
    },
  });
  return (message: (message: Record<string, unknown>) => void, bad: (problem: string) => void): Promise<string> =>
    new Promise(resolve => {
      const end = (): void => resolve('it ended, or its link broke');
      const take = (told: Record<string, unknown>): void => {
        if (told.t === 'bye') resolve('it stopped');
        else message(told);
      };
      for (const each of early) take(each);
      if (ended) end();
      lines.listen({ message: take, bad, end });
    });
}

async function refuse(lines: Lines, output: Writable, { reason, remedy }: Refusal): Promise<number> {
  lines.send({ t: 'refused', reason, remedy });
  await new Promise(resolve => output.end(() => resolve(undefined)));
  return 2;
}

/** A server with everything that the hello says, listening; one that fails has been closed. */
async function startServer(deps: LinkDeps, lines: Lines, hello: Hello) {
  const { options, dcc_type, resume } = hello;
  const { dcc_version } = hello;
  const own = { ...options, dcc_type, ...(dcc_version && { dcc_version }), spawn_mode: 'ambient' };
  const again = resume?.instance_id ? { ...own, instance_id: resume.instance_id } : own;
  if (resume) {
    // Where it was; that port may be another's by now.
    const there = await openLink(deps, lines, hello, { ...again, port: resume.port }).catch((error: unknown) => {
      if (isSvcError(error) && error.code.endsWith('PORT_IN_USE')) return undefined;
      throw error;
    });
    if (there) return there;
  }
  return openLink(deps, lines, hello, again);
}

async function openLink(deps: LinkDeps, lines: Lines, hello: Hello, options: Record<string, unknown>) {
  const server = deps.make(options);
  const link = createLink(deps, lines, server);
  try {
    await server.operation(linkOperation, {});
    await Promise.all(hello.tools.map(each => link.registrations.tool(each as ToolDefinition)));
    await server.operation('update', { host_pid: hello.pid });
    for (const [key, value] of Object.entries(hello.state)) await link.tellState(key, value);
    await Promise.all((hello.early ?? []).map(link.take));
    return { server, link, service: await server.start() };
  } catch (error) {
    link.end('the server does not start');
    await server.close();
    throw error;
  }
}

function createLink({ mostWaiting, helpers, validators }: LinkDeps, lines: Lines, server: LinkServer) {
  const children = new Set<number>();
  let status: string | null = null;
  let ended = false;
  const problem = (message: string): void => void lines.send({ t: 'problem', message });
  const quietly = (work: Promise<unknown>): void =>
    void work.catch((error: unknown) => ended || problem(messageOf(error)));
  const calls: HostCalls = createHostCalls({
    epoch: randomBytes(6).toString('hex'),
    send: lines.send,
    mostWaiting,
    longest: longestLine,
    occupied: () => liveness.occupied(),
  });
  const registrations = createRegistrations({ server, calls, refused: problem, notify: lines.send });
  const liveness = startLiveness({
    ping: n => lines.send({ t: 'ping', n }),
    waiting: () => calls.waiting,
    begun: calls.begun,
    told(state: LinkState, turned) {
      quietly(server.operation(linkStateOperation, state));
      if (!turned) return;
      const shown = { connected: status, busy: 'busy', silent: 'unreachable' }[state.state];
      quietly(server.operation('update', { ready: state.state !== 'silent', status: shown }));
    },
  });

  const tellState = async (key: string, value: unknown): Promise<void> => {
    if (key === 'scene') await server.resources().setScene(value ?? null);
    else if (key === 'row') await server.operation('update', value);
    else {
      status = typeof value === 'string' ? value : null;
      await server.operation('update', { status });
    }
  };
  const runScript = async (script: HostScript, call: ToolCall): Promise<unknown> => {
    const digest = createHash('sha256')
      .update(await readFile(script.file))
      .digest('hex');
    return calls.run({ t: 'script', ...script, digest, helpers }, 'main', call);
  };
  const unanswer = server.answer(scriptQuestion, asked => runScript(...(asked as [HostScript, ToolCall])));

  const answer = async (id: string, work: Promise<unknown>): Promise<void> => {
    let told: object;
    try {
      const value = await work;
      // A registration stands for as long as the host.
      told = typeof value === 'function' ? {} : { value };
    } catch (error) {
      told = { error: { code: isSvcError(error) ? error.code : 'SVC_ERROR', message: messageOf(error) } };
    }
    if (id || 'error' in told) lines.send({ t: 'answer', id, ...told });
  };

  const handlers: Handlers = {
    tool: ({ definition }) => registrations.tool(definition as ToolDefinition),
    untool: ({ name }) => registrations.untool(name),
    resource: registrations.resource,
    prompt: registrations.prompt,
    buffer: registrations.buffer,
    forget: ({ key }) => registrations.forget(key),
    on: registrations.on,
    before: registrations.before,
    feedback: registrations.feedback,
    state: ({ key, value }) => quietly(tellState(key, value)),
    event: ({ name, attributes }) => quietly(server.bus.emit(name, { attributes })),
    begin: calls.begin,
    result: calls.result,
    error: calls.error,
    progress: calls.progress,
    log: calls.log,
    close_stream: calls.closeStream,
    ask: message => answer(message.id, calls.ask(message)),
    operation: ({ id, name, input }) => answer(id, server.operation(name, input ?? {})),
    child: ({ pid, running }) => (running ? children.add(pid) : children.delete(pid)),
    pong: liveness.pong,
    bye: () => undefined,
  };

  return {
    registrations,
    tellState,
    problem,
    /** Does what a message says; one that says nothing valid is told. */
    take(message: Record<string, unknown>): unknown {
      const validate = validators.get(String(message.t));
      if (!validate) return undefined;
      const [wrong] = validate(message) ?? [];
      if (wrong) return problem(`a message "${String(message.t)}" is not valid: ${wrong.message}`);
      return hand(handlers, message as never);
    },
    /** What the host started ends with it. */
    endChildren: (): void => children.forEach(killed),
    /** Callers are told. */
    end(reason: string): void {
      ended = true;
      liveness.stop();
      unanswer();
      calls.lose(reason);
    },
  };
}

function killed(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

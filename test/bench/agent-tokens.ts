/** What an agent pays at the gateway's MCP, in tokens of its model: a search of five, a description, a whole way. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { decode } from '@toon-format/toon';
import { type MarkedQuery, relevanceQueries, relevanceRecords } from '../plugins/search/relevance/figures.ts';
import { writeSkill } from '../spec/skill-package.ts';
import { type Bench, median, percentile, type Row } from './bench.ts';
import { builtFile, type Peer, startPeer, withPeers } from './peer.ts';

type Json = Record<string, unknown>;

/** Reads an answer and counts what its client may show to a model: the texts, and the structured copy where there is one. */
interface Asked {
  value: Json;
  tokens: number;
}

type Ask = (tool: string, args: Json) => Promise<Asked>;

const wanted = 100;
const tokenizer: string = 'gpt-tokenizer/encoding/o200k_base';

/** The blind catalogue on disk, a folder of skills for each host type; gives the host types. */
async function writeCatalogue(root: string): Promise<string[]> {
  const skills = new Map<string, ReturnType<typeof relevanceRecords>>();
  for (const record of relevanceRecords('blind')) {
    const at = join(record.dcc_type, String(record.skill_name));
    skills.set(at, [...(skills.get(at) ?? []), record]);
  }
  for (const [at, tools] of skills) {
    const [dcc = '', name = ''] = at.split('/');
    await writeSkill(join(root, dcc), name, {
      dcc,
      tools: tools.map(({ backend_tool, description, input_schema = {} }) => ({
        ...{ name: backend_tool, description, input_schema, body: 'return { done: true };' },
      })),
    });
  }
  return [...new Set([...skills.keys()].map(each => each.split('/')[0] ?? ''))];
}

/** A hundred of the queries that agents send, evenly from the whole set. */
function agentQueries(): MarkedQuery[] {
  const all = relevanceQueries('blind/agents');
  return Array.from({ length: wanted }, (_, at) => all[Math.floor((at * all.length) / wanted)] as MarkedQuery);
}

/** Some value for each required argument. */
function argumentsFor(schema: Json): Json {
  const properties = (schema.properties ?? {}) as Record<string, Json>;
  const values: Json = { string: 'x', integer: 1, number: 1, boolean: true, array: [], object: {} };
  const some = ({ type, enum: choices }: Json): unknown => (choices as unknown[])?.[0] ?? values[String(type)];
  return Object.fromEntries(((schema.required ?? []) as string[]).map(name => [name, some(properties[name] ?? {})]));
}

/** Tokens of each step for one query. */
type Way = { search: number } & Partial<Record<'describe' | 'load' | 'call' | 'whole', number>>;

async function way(ask: Ask, { query, filter }: MarkedQuery): Promise<Way> {
  const found = await ask('search', { query, ...filter, limit: 5 });
  const [hit] = found.value.hits as Json[];
  if (!hit) return { search: found.tokens };
  const { tool_slug } = hit;
  const described = await ask('describe', { tool_slug });
  const loaded = await ask(String(hit.next_step), { tool_slug });
  const called = await ask('call', { tool_slug, arguments: argumentsFor(described.value.input_schema as Json) });
  if (called.value.done !== true) throw new Error(`${String(tool_slug)}: ${JSON.stringify(called.value)}`);
  return {
    ...{ search: found.tokens, describe: described.tokens, load: loaded.tokens, call: called.tokens },
    whole: found.tokens + described.tokens + loaded.tokens + called.tokens,
  };
}

async function measure(client: Client): Promise<Row[]> {
  // Named at run time: in every other benchmark its table of words would only stand in memory.
  const { countTokens } = (await import(tokenizer)) as { countTokens(text: string): number };
  const ask: Ask = async (name, args) => {
    const { content, structuredContent, isError } = (await client.callTool({
      name,
      arguments: args,
    })) as {
      content: { text: string; mimeType?: string }[];
      structuredContent?: Json;
      isError?: boolean;
    };
    const text = content.map(each => each.text).join('\n');
    if (isError) throw new Error(`${name}: ${text}`);
    const value = (text.startsWith('{') ? JSON.parse(text) : decode(text)) as Json;
    return {
      value,
      tokens: countTokens(text) + (structuredContent ? countTokens(JSON.stringify(structuredContent)) : 0),
    };
  };
  const ways: Way[] = [];
  for (const query of agentQueries()) {
    ways.push(await way(ask, query));
    // As it was, so that every way needs its load.
    for (const { skill_name, instance_short } of await loadedSkills(client)) {
      await client.callTool({ name: 'unload_skill', arguments: { skill_name, instance_id: instance_short } });
    }
  }
  const tools = countTokens(JSON.stringify((await client.listTools()).tools));
  const row = (step: keyof Way, target: string): Row => {
    const tokens = ways.flatMap(each => each[step] ?? []);
    const [figure, ours] = [String(median(tokens)), `p90 ${percentile(tokens, 90)}`];
    return { what: `${step}, ${tokens.length} queries`, ours, figure, target };
  };
  return [
    row('search', '<= 300'),
    row('describe', '<= 200'),
    ...[row('load', '-'), row('call', '-')],
    row('whole', '<= 900'),
    { what: 'the four tools, listed', ours: '', figure: String(tools), target: '-' },
  ];
}

async function loadedSkills(client: Client): Promise<{ skill_name: string; instance_short: string }[]> {
  const args = { kind: 'skill', query: '', limit: 50, response_format: 'json' };
  const { content } = (await client.callTool({ name: 'search', arguments: args })) as { content: { text: string }[] };
  const { skills } = JSON.parse(content[0]?.text ?? '{}') as { skills: Json[] };
  return skills
    .filter(each => each.loaded === true)
    .map(each => ({ skill_name: String(each.name), instance_short: String(each._instance_short) }));
}

export const agentTokens: Bench = {
  name: 'agent-tokens',
  title: `What an agent pays in tokens (o200k) at the gateway's MCP: medians over ${wanted} queries on 660 tools`,
  rounds: 1,
  async run() {
    const registry_dir = await mkdtemp(join(tmpdir(), 'svc-bench-'));
    const root = await mkdtemp(join(tmpdir(), 'svc-bench-'));
    try {
      const hosts = await writeCatalogue(root);
      const entry = builtFile('index.js');
      const starts = [
        () => startPeer('catalogue', { entry, registry_dir, root, hosts }),
        () => startPeer('gateway', { registry_dir }),
      ];
      return await withPeers(starts, async (...peers) => {
        const gateway = peers[1] as Peer;
        await gateway.ask('instances', hosts.length);
        await gateway.ask('tools', relevanceRecords('blind').length);
        const client = new Client({ name: 'agent-tokens', version: '1' });
        await client.connect(new StreamableHTTPClientTransport(new URL(`${gateway.url}/mcp`)) as never);
        try {
          return await measure(client);
        } finally {
          await client.close();
        }
      });
    } finally {
      await rm(registry_dir, { recursive: true, force: true });
      await rm(root, { recursive: true, force: true });
    }
  },
};

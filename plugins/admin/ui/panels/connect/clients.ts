/** MCP clients and what each wants to be told. */

interface Client {
  name: string;
  title: string;
  /** Where it goes. */
  where: string;
  settings(url: string): string;
}

const json = (value: unknown): string => JSON.stringify(value, null, 2);

export const clients: readonly Client[] = [
  {
    name: 'claude-code',
    title: 'Claude Code',
    where: 'In a terminal:',
    settings: url => `claude mcp add --transport http svc ${url}`,
  },
  {
    name: 'claude-desktop',
    title: 'Claude Desktop',
    where: 'In claude_desktop_config.json, over a bridge that speaks standard input and output:',
    settings: url => json({ mcpServers: { svc: { command: 'npx', args: ['-y', 'mcp-remote', url] } } }),
  },
  {
    name: 'cursor',
    title: 'Cursor',
    where: 'In ~/.cursor/mcp.json, or .cursor/mcp.json of a project:',
    settings: url => json({ mcpServers: { svc: { url } } }),
  },
  {
    name: 'vscode',
    title: 'VS Code',
    where: 'In .vscode/mcp.json of a project:',
    settings: url => json({ servers: { svc: { type: 'http', url } } }),
  },
  {
    name: 'codex',
    title: 'Codex',
    where: 'In ~/.codex/config.toml:',
    settings: url => `[mcp_servers.svc]\nurl = "${url}"\n`,
  },
  {
    name: 'gemini',
    title: 'Gemini CLI',
    where: 'In ~/.gemini/settings.json:',
    settings: url => json({ mcpServers: { svc: { httpUrl: url } } }),
  },
  {
    name: 'windsurf',
    title: 'Windsurf',
    where: 'In ~/.codeium/windsurf/mcp_config.json:',
    settings: url => json({ mcpServers: { svc: { serverUrl: url } } }),
  },
  {
    name: 'inspector',
    title: 'MCP Inspector',
    where: 'In a terminal:',
    settings: url => `npx @modelcontextprotocol/inspector --transport http --server-url ${url}`,
  },
];

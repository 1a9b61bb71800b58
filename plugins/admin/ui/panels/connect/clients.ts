/** MCP clients and what each wants to be told. The token of a guarded gateway never stands in it: a variable does. */

interface Client {
  name: string;
  title: string;
  /** Where it goes. */
  where: string;
  /** `header` is what a gateway that asks for tokens wants; undefined where it does not. */
  settings(url: string, header: string | undefined): string;
}

const json = (value: unknown): string => JSON.stringify(value, null, 2);

const braced = (name: string): string => `\${${name}}`;

/** As the clients replace a variable of the environment, each its own way. */
const headers = (header: string | undefined, variable: string) =>
  header !== undefined && { headers: { Authorization: header.replace('$SVC_TOKEN', variable) } };

export const clients: readonly Client[] = [
  {
    name: 'claude-code',
    title: 'Claude Code',
    where: 'In a terminal:',
    settings: (url, header) =>
      `claude mcp add --transport http svc ${url}${header ? ` --header "Authorization: ${header}"` : ''}`,
  },
  {
    name: 'claude-desktop',
    title: 'Claude Desktop',
    where: 'In claude_desktop_config.json, over a bridge that speaks standard input and output:',
    settings: (url, header) =>
      json({
        mcpServers: {
          svc: {
            command: 'npx',
            args: [
              '-y',
              'mcp-remote',
              url,
              ...(header ? ['--header', `Authorization:${braced('SVC_AUTHORIZATION')}`] : []),
            ],
            ...(header && { env: { SVC_AUTHORIZATION: header.replace('$SVC_TOKEN', '<token>') } }),
          },
        },
      }),
  },
  {
    name: 'cursor',
    title: 'Cursor',
    where: 'In ~/.cursor/mcp.json, or .cursor/mcp.json of a project:',
    settings: (url, header) => json({ mcpServers: { svc: { url, ...headers(header, braced('env:SVC_TOKEN')) } } }),
  },
  {
    name: 'vscode',
    title: 'VS Code',
    where: 'In .vscode/mcp.json of a project:',
    settings: (url, header) =>
      json({ servers: { svc: { type: 'http', url, ...headers(header, braced('env:SVC_TOKEN')) } } }),
  },
  {
    name: 'codex',
    title: 'Codex',
    where: 'In ~/.codex/config.toml:',
    settings: (url, header) =>
      `[mcp_servers.svc]\nurl = "${url}"\n${header ? 'bearer_token_env_var = "SVC_TOKEN"\n' : ''}`,
  },
  {
    name: 'gemini',
    title: 'Gemini CLI',
    where: 'In ~/.gemini/settings.json:',
    settings: (url, header) => json({ mcpServers: { svc: { httpUrl: url, ...headers(header, '$SVC_TOKEN') } } }),
  },
  {
    name: 'windsurf',
    title: 'Windsurf',
    where: 'In ~/.codeium/windsurf/mcp_config.json:',
    settings: (url, header) =>
      json({ mcpServers: { svc: { serverUrl: url, ...headers(header, braced('env:SVC_TOKEN')) } } }),
  },
  {
    name: 'inspector',
    title: 'MCP Inspector',
    where: 'In a terminal:',
    settings: (url, header) =>
      `npx @modelcontextprotocol/inspector --transport http --server-url ${url}${header ? ` --header "Authorization: ${header}"` : ''}`,
  },
];

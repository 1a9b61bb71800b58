/** What a person sees when the server listens. */

export interface BannerInput {
  version: string;
  mcpUrl: string;
  skills: number;
}

const initialize =
  '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"curl","version":"1"}}}';

/** A few lines: the address, what is offered, a request to try, how to stop. */
export function banner({ version, mcpUrl, skills }: BannerInput): string {
  return [
    `svc ${version} listens on ${mcpUrl}`,
    '',
    `  skills   ${skills} found; see them with: svc-server skills list`,
    `  try it   curl -s ${mcpUrl} -H 'content-type: application/json' -H 'accept: application/json, text/event-stream' -d '${initialize}'`,
    '  stop     Ctrl-C',
    '',
  ].join('\n');
}

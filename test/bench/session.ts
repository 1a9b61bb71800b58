/** Opens an MCP session for a load and gives the headers that its requests carry. */
import { connect } from '../spec/wire.ts';

export async function sessionHeaders(url: string): Promise<Record<string, string>> {
  const { sessionId } = await connect(url);
  return { 'mcp-session-id': sessionId };
}

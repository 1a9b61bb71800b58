/** The first line of a host: who it is, and whether this server can serve it. */
import type { Validator } from '../../kernel/index.ts';
import { type Hello, linkProtocol } from '../../schemas/host-link.ts';

export interface Refusal {
  reason: string;
  /** What to do about it. */
  remedy: string;
}

/** The hello with the protocol that both speak, or why not. */
export function readHello(
  message: Record<string, unknown>,
  validate: Validator,
  version: string,
): { hello: Hello; protocol: number } | Refusal {
  if (message.t !== 'hello') {
    return { reason: 'The first line is no hello.', remedy: 'Start this program from svc_host.py, not by hand.' };
  }
  // Of a module of another version only its protocols are known.
  const { protocol: newest, min_protocol: oldest, module_version: theirs } = message;
  const { oldest: ours, newest: latest } = linkProtocol;
  if (typeof newest === 'number' && newest < ours) {
    return {
      reason: `svc_host ${String(theirs)} speaks protocol ${newest}, svc ${version} needs ${ours} or newer.`,
      remedy: 'Install the add-on of this svc again (svc-server host --install).',
    };
  }
  if (typeof oldest === 'number' && oldest > latest) {
    return {
      reason: `svc_host ${String(theirs)} needs protocol ${oldest}, svc ${version} speaks up to ${latest}.`,
      remedy: 'Update svc (npm install --global svc@latest).',
    };
  }
  const [problem] = validate(message) ?? [];
  if (problem) return { reason: `The hello is not valid: ${problem.message}.`, remedy: 'Report this as a bug.' };
  const hello = message as Hello;
  return { hello, protocol: Math.min(hello.protocol, latest) };
}

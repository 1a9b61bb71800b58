/** Which capability a client must have declared for a question: nobody is asked what it does not expect. Pure. */
import { isObject } from '../../../schemas/loose.ts';
import { mcpErrors } from '../errors.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The capability that a question needs, and the part of it where that counts; undefined for a method that needs none. */
function needed(method: string, params: Fields): readonly [name: string, part?: string] | undefined {
  if (method === 'roots/list') return ['roots'];
  if (method === 'elicitation/create') return ['elicitation', params.mode === 'url' ? 'url' : 'form'];
  if (method !== 'sampling/createMessage') return undefined;
  return params.tools === undefined && params.toolChoice === undefined ? ['sampling'] : ['sampling', 'tools'];
}

/** Throws SVC_MCP_CAPABILITY_MISSING for a question that a client with these capabilities cannot be asked. */
export function assertAskable(method: string, params: Fields, capabilities: Fields): void {
  const [name, part] = needed(method, params) ?? [];
  if (name === undefined) return;
  const declared = capabilities[name];
  // An elicitation that names no mode is one of forms.
  const whole = part === undefined || (part === 'form' && isObject(declared) && declared.url === undefined);
  if (isObject(declared) && (whole || isObject(declared[part]))) return;
  const requiredCapabilities = { [name]: part === undefined ? {} : { [part]: {} } };
  const capability = part === undefined ? name : `${name}.${part}`;
  throw mcpErrors.CAPABILITY_MISSING({ method, capability, requiredCapabilities });
}

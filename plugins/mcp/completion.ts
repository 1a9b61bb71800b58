/** Argument completion: providers by reference type, one method in front of them. */
import { type Disposer, isPromise, type RpcContext, rpcErrors } from '../../kernel/index.ts';
import type { CompletionProvider, CompletionRequest } from './api.ts';

/** Most values that MCP lets one answer carry. */
const maxValues = 100;

export type Completion = ReturnType<typeof createCompletion>;

export function createCompletion() {
  const providers = new Map<string, Set<CompletionProvider>>();

  return {
    add(type: string, provider: CompletionProvider): Disposer {
      const known = providers.get(type) ?? new Set();
      providers.set(type, known.add(provider));
      return () => void known.delete(provider);
    },
    handler(params: Record<string, unknown>, context: RpcContext): unknown {
      const request = readRequest(params);
      const candidates = [...(providers.get(request.ref.type as string) ?? [])];
      const next = (index: number): unknown => {
        const provider = candidates[index];
        if (!provider) throw unknownReference(request.ref);
        const values = provider(request, context);
        if (isPromise(values)) return values.then(found => answer(found as readonly string[] | undefined, index));
        return answer(values, index);
      };
      const answer = (values: readonly string[] | undefined, index: number): unknown =>
        values === undefined ? next(index + 1) : { completion: page(values) };
      return next(0);
    },
  };
}

function page(values: readonly string[]): Record<string, unknown> {
  return { values: values.slice(0, maxValues), total: values.length, hasMore: values.length > maxValues };
}

function unknownReference(ref: CompletionRequest['ref']): Error {
  const subject = String(ref.name ?? ref.uri ?? '');
  return rpcErrors.INVALID_PARAMS({ reason: `"ref" names nothing that can be completed: ${ref.type} "${subject}"` });
}

function readRequest({ ref, argument, context }: Record<string, unknown>): CompletionRequest {
  const known = record(ref, 'ref');
  text(known.type, 'ref.type');
  if (known.type === 'ref/prompt') text(known.name, 'ref.name');
  if (known.type === 'ref/resource') text(known.uri, 'ref.uri');
  const { name, value } = record(argument, 'argument');
  const chosen = context === undefined ? {} : (record(context, 'context').arguments ?? {});
  const values = record(chosen, 'context.arguments');
  for (const [key, each] of Object.entries(values)) text(each, `context.arguments.${key}`);
  return {
    ref: known,
    argument: { name: text(name, 'argument.name'), value: text(value, 'argument.value') },
    context: values as Record<string, string>,
  };
}

function record(value: unknown, field: string): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw rpcErrors.INVALID_PARAMS({ reason: `"${field}" must be an object`, field });
}

function text(value: unknown, field: string): string {
  if (typeof value === 'string') return value;
  throw rpcErrors.INVALID_PARAMS({ reason: `"${field}" must be a string`, field });
}

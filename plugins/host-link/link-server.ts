/** The server object as the companion of a host uses it, in place: what an embedding host may do, and no more. */
import type { AsyncDisposer, EventEnvelope, StopReport } from '../../kernel/index.ts';
import type { ToolDefinition } from '../../schemas/tool.ts';
import type { HostCall } from '../host/api.ts';
import type { PromptCall } from '../prompts/api.ts';
import type { ResourceProducer } from '../resources/api.ts';
import type { PagedBuffer } from '../resources/schemes/session-events/api.ts';

export interface LinkService {
  readonly port: number;
  readonly instance_id: string | null;
  mcpUrl(): string;
  stopped(): Promise<StopReport>;
}

// What a handler gets of its call here is the call itself.
export interface LinkServer {
  registerTool(
    definition: ToolDefinition,
    handler: (args: Record<string, unknown>, call: HostCall) => unknown,
  ): Promise<AsyncDisposer>;
  registerPrompt(
    definition: { name: string },
    handler?: (args: Record<string, string>, call: PromptCall) => Promise<never>,
  ): Promise<AsyncDisposer>;
  registerFeedbackTool(options: object): Promise<AsyncDisposer>;
  resources(): {
    setScene(snapshot: unknown): Promise<void>;
    addProducer(producer: ResourceProducer): Promise<AsyncDisposer>;
    registerSessionEventBuffer(buffer: PagedBuffer): Promise<AsyncDisposer>;
  };
  readonly bus: {
    on(name: string, subscriber: (event: EventEnvelope) => unknown): Promise<AsyncDisposer>;
    before(name: string, hook: (event: EventEnvelope) => never): Promise<number>;
    unsubscribeBefore(name: string, id: number): Promise<boolean>;
    emit(name: string, input: { attributes: Record<string, unknown> }): Promise<unknown>;
  };
  operation(name: string, input?: unknown): Promise<unknown>;
  answer(question: string, answer: (payload: unknown) => unknown): () => void;
  start(): Promise<LinkService>;
  close(): Promise<void>;
}

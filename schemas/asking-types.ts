/** What may be asked of a client, as its author writes it. Types alone: new skills are given this text. */

export interface AskOptions {
  /** Name of the question where a client without a session is asked; of its answer, too. Made up when absent. */
  key?: string | undefined;
  /** How long the answer may take in ms; 5 minutes by default. The deadline of the call stands still meanwhile. */
  timeoutMs?: number | undefined;
  /** Takes the question back when it aborts. */
  signal?: AbortSignal | undefined;
}

/** Sends a request of MCP to the client and resolves with its result. Rejects with an error that has a `code`. */
export type Ask = (method: string, params?: Record<string, unknown>, options?: AskOptions) => Promise<unknown>;

/** A form: `schema` is a JSON Schema of type object whose properties are texts, numbers, switches or choices. */
export interface FormQuestion extends AskOptions {
  message: string;
  schema: Record<string, unknown>;
}

/** A page that the user is to visit, for what must not pass through the client. */
export interface UrlQuestion extends AskOptions {
  message: string;
  url: string;
  /** Id of the visit in session revisions; made up when absent. */
  elicitationId?: string;
}

export interface ElicitAnswer {
  /** What the user did: `decline` said no, `cancel` dismissed the question. */
  action: 'accept' | 'decline' | 'cancel';
  /** What was filled in, when a form was accepted; it matches the schema. */
  content?: Record<string, string | number | boolean | string[]>;
}

export interface SampleMessage {
  role: 'user' | 'assistant';
  content: Record<string, unknown> | readonly Record<string, unknown>[];
}

/** A completion by the client's model. A text stands for one message of the user. */
export interface SampleQuestion extends AskOptions {
  messages: string | readonly SampleMessage[];
  /** Most tokens of the answer; 1,024 by default. */
  maxTokens?: number;
  systemPrompt?: string;
  temperature?: number;
  stopSequences?: readonly string[];
  modelPreferences?: Record<string, unknown>;
  includeContext?: 'none' | 'thisServer' | 'allServers';
  /** Tools that the model may ask for, each with `name`, `description` and `inputSchema`. */
  tools?: readonly Record<string, unknown>[];
  toolChoice?: { mode?: 'auto' | 'required' | 'none' };
  metadata?: Record<string, unknown>;
}

export interface SampleAnswer extends SampleMessage {
  model: string;
  stopReason?: string;
}

export interface Root {
  uri: string;
  name?: string;
}

/** What a client can be asked for; a question that it did not declare rejects with `SVC_MCP_CAPABILITY_MISSING`. */
export interface Asking {
  /** Asks whatever else MCP lets a server ask; the others are forms of it. */
  readonly ask: Ask;
  /** Asks the user, by a form or at a page. */
  elicit(question: FormQuestion | UrlQuestion): Promise<ElicitAnswer>;
  /** Asks the client's model. */
  sample(question: SampleQuestion): Promise<SampleAnswer>;
  /** The folders that the client opened. */
  roots(options?: AskOptions): Promise<readonly Root[]>;
}

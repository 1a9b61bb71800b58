/** `webhooks.yaml` as people write it: read whole or refused, with the line and the key of what is wrong. */
import type { JsonSchema, Schemas } from '../../kernel/index.ts';
import { pathOf, readYaml, type YamlFile } from '../../schemas/yaml-document.ts';
import { type WebhookEntry, type WebhooksFile, WebhooksFileSchema } from './file-schema.ts';
import { createWebhook, EntryError, type Webhook } from './webhook.ts';

export interface WebhooksRead {
  readonly capacity: number;
  readonly entries: readonly WebhookEntry[];
  readonly webhooks: readonly Webhook[];
}

type Env = Readonly<Record<string, string | undefined>>;

export interface ReadDeps {
  readonly env: Env;
  readonly schemas: Pick<Schemas, 'compileWithDefaults'>;
  /** Throws for an address that nothing may be sent to. */
  check(url: URL): void;
}

/** Throws an error that names line and key; a text without anything has no webhooks, and neither has an empty list. */
export function readWebhooks(text: string, { env, schemas, check }: ReadDeps): WebhooksRead {
  const file = readYaml(text);
  const value = (file.value ?? {}) as WebhooksFile;
  // The key alone, with nothing below it or with comments only.
  if ((value as { webhooks?: unknown }).webhooks === null) value.webhooks = [];
  const [problem] = schemas.compileWithDefaults(WebhooksFileSchema as unknown as JsonSchema)(value) ?? [];
  if (problem) throw at(file, pathOf(problem.field), problem.message);
  const names = new Set<string>();
  const webhooks = value.webhooks.map((entry, index) => {
    if (names.has(entry.name))
      throw at(file, ['webhooks', index, 'name'], `the name "${entry.name}" is taken by another`);
    names.add(entry.name);
    try {
      return createWebhook(entry, env, check);
    } catch (error) {
      if (!(error instanceof EntryError)) throw error;
      const path = ['webhooks', index, ...error.path];
      throw at(file, path, `"${path.join('.')}" ${error.message}`);
    }
  });
  return { capacity: value.queue_capacity, entries: value.webhooks, webhooks };
}

const at = (file: YamlFile, path: readonly (string | number)[], message: string): Error =>
  new Error(`line ${file.lineOf(path)}: ${message}`);

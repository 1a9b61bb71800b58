/** The file, the shortcut of the environment and the running webhooks, as one service. */
import { randomUUID } from 'node:crypto';
import { realpath, stat } from 'node:fs/promises';
import { createTurns, messageOf, type Schemas, writeWhole } from '../../kernel/index.ts';
import { textOf as fileText } from '../../schemas/file-text.ts';
import { readYaml } from '../../schemas/yaml-document.ts';
import type { WebhooksService } from './api.ts';
import { robotName, withEntry, withoutEntry } from './edits.ts';
import { webhookErrors } from './errors.ts';
import type { WebhookEntry, WebhooksFile } from './file-schema.ts';
import type { Poster } from './post.ts';
import { shownEntry, withKept } from './shown-entry.ts';
import type { createWebhooks } from './webhooks.ts';
import { type ReadDeps, readWebhooks, type WebhooksRead } from './webhooks-file.ts';

export interface ServiceDeps {
  readonly file: string;
  /** Whether somebody named the file: then it must be there. */
  readonly named: boolean;
  /** The entry of the shortcut, as it would stand in the file. */
  readonly robot: Readonly<Record<string, unknown>> | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly schemas: Pick<Schemas, 'compileWithDefaults'>;
  readonly webhooks: ReturnType<typeof createWebhooks>;
  readonly poster: Pick<Poster, 'post' | 'check'>;
}

const largestFile = 1_048_576;

export function createWebhooksService({ file, named, robot, env, schemas, webhooks, poster }: ServiceDeps) {
  const turns = createTurns();
  const deps = { env, schemas, check: poster.check };

  const textOf = async (): Promise<string> => {
    try {
      const { size } = await regular(file);
      if (size > largestFile) throw new Error(`it has ${size} bytes: at most ${largestFile} are read`);
      return await fileText(file);
    } catch (error) {
      if (!named && (error as NodeJS.ErrnoException).code === 'ENOENT') return '';
      throw webhookErrors.CONFIG_INVALID({ source: file, reason: messageOf(error) }, error);
    }
  };

  /** What a text says, and the shortcut beside it. Whole or not at all. */
  const read = (text: string): WebhooksRead => {
    const fromFile = refusing(file, () => readWebhooks(text, deps));
    if (robot === undefined) return fromFile;
    const shortcut = refusing('the environment', () => readShortcut(robot, { ...deps, env: {} }));
    const others = fromFile.webhooks.filter(each => each.name !== robotName);
    return { ...fromFile, webhooks: [...others, ...shortcut.webhooks] };
  };

  /** As people wrote them, without defaults. */
  const entriesIn = (text: string): readonly WebhookEntry[] => {
    refusing(file, () => readWebhooks(text, deps));
    return ((readYaml(text).value ?? {}) as Partial<WebhooksFile>).webhooks ?? [];
  };

  const write = async (text: string): Promise<void> => {
    const next = read(text);
    // A link stays one. The file may hold addresses that are secrets.
    await writeWhole(await realpath(file).catch(() => file), text, { mode: 0o600, folderMode: 0o700 });
    await webhooks.use(next);
  };

  const service: WebhooksService = {
    file,
    list: webhooks.list,
    entries: async () => entriesIn(await textOf()).map(shownEntry),
    put: async entry =>
      turns.take(file, async () => {
        const text = await textOf();
        const before = entriesIn(text).find(each => each.name === entry.name);
        await write(
          withEntry(
            text,
            refusing(file, () => withKept(entry, before)),
          ),
        );
      }),
    remove: async name =>
      turns.take(file, async () => {
        const text = withoutEntry(await textOf(), name);
        if (text !== undefined) await write(text);
        return text !== undefined;
      }),
    async test(name) {
      const webhook = webhooks.find(name);
      if (!webhook) return `there is no webhook "${name}"`;
      const id = `ev_${randomUUID()}`;
      const attributes = { message: 'a test of this webhook' };
      const event = { schema_version: 1, name: 'webhook.test', id, timestamp_ns: Date.now() * 1e6 } as const;
      try {
        const body = webhook.render({ ...event, source: {}, correlation: {}, attributes });
        await poster.post(webhook.parcel(event, body), webhook.timeoutMs).done;
        return null;
      } catch (error) {
        return messageOf(error);
      }
    },
  };
  return { service, open: async (): Promise<void> => webhooks.use(read(await textOf())) };
}

/** Settings of the shortcut by the key of the entry that they stand for. */
const shortcutNames: Readonly<Record<string, string>> = {
  url: 'SVC_CHATROBOT_WEBHOOK_URL',
  events: 'SVC_CHATROBOT_EVENTS',
  message_template: 'SVC_CHATROBOT_TEMPLATE',
};

/** The shortcut has no lines and no keys: an error names the variable. */
function readShortcut(robot: Readonly<Record<string, unknown>>, deps: ReadDeps): WebhooksRead {
  try {
    return readWebhooks(withEntry('', robot), deps);
  } catch (error) {
    const place = /^line \d+: "webhooks\.0\.(\w+)[^"]*"/;
    throw new Error(
      messageOf(error).replace(place, (all, key: string) => shortcutNames[key] ?? all),
      { cause: error },
    );
  }
}

async function regular(file: string) {
  const found = await stat(file);
  if (!found.isFile()) throw new Error('it is no regular file');
  return found;
}

function refusing<T>(source: string, make: () => T): T {
  try {
    return make();
  } catch (error) {
    throw webhookErrors.CONFIG_INVALID({ source, reason: messageOf(error) }, error);
  }
}

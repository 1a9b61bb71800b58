/** Webhooks with all that they need; loaded when there is a file, a shortcut, or somebody who writes the file. */
import type { Kernel, Logger, Scope } from '../../kernel/index.ts';
import type { Settings } from './config.ts';
import { robotName } from './edits.ts';
import { createPoster } from './post.ts';
import { createWebhooksService } from './service.ts';
import { createWebhooks, type Origin } from './webhooks.ts';

export interface OpenInput {
  readonly kernel: Pick<Kernel, 'bus' | 'env' | 'schemas' | 'config' | 'eventNames'>;
  readonly config: Settings;
  readonly file: string;
  readonly scope: Scope;
  readonly log: Logger;
  origin(): Origin | undefined;
}

/** Rejects with SVC_WEBHOOKS_CONFIG_INVALID, and then nothing of the file is in use. */
export async function openWebhooks({ kernel, config, file, scope, log, origin }: OpenInput) {
  const { bus, env, schemas, eventNames } = kernel;
  const poster = createPoster(config.webhooks_refuse_private);
  scope.add('connections', poster.close);
  const webhooks = createWebhooks({
    ...{ bus, log, poster, origin, eventNames },
    flushMs: config.webhooks_flush_ms,
    service: kernel.config.server_name,
  });
  scope.add('webhooks', webhooks.dispose);
  const named = config.webhooks_config !== null;
  const { service, open } = createWebhooksService({
    ...{ file, named, env, schemas, webhooks, poster },
    robot: robotOf(config),
  });
  await open();
  return service;
}

/** The shortcut's settings as an entry of the file. */
function robotOf({ chatrobot_webhook_url: url, chatrobot_events, chatrobot_template }: Settings) {
  if (url === null) return undefined;
  const events = chatrobot_events
    .split(/[,\n]/)
    .map(each => each.trim())
    .filter(Boolean);
  const message = chatrobot_template === null ? {} : { message_template: chatrobot_template };
  return { name: robotName, kind: 'chatrobot', url, events, ...message };
}

/** Webhooks: events of this process, sent to addresses outside it. Where there are none, little of this is loaded. */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { definePlugin } from '../../kernel/index.ts';
import type {} from '../instances/registration/api.ts';
import type { WebhooksService } from './api.ts';
import { settings } from './config.ts';
import { webhookErrors } from './errors.ts';
import { webhookEvents } from './events.ts';

export const webhooksPlugin = definePlugin(
  {
    ...{ name: 'webhooks', optional: ['registration'], config: settings },
    ...{ errors: webhookErrors, events: webhookEvents },
  },
  async (app, { kernel, config, scope, log, optional }) => {
    const { HOME, USERPROFILE } = kernel.env;
    const etc = config.etc_dir ?? join(HOME ?? USERPROFILE ?? homedir(), 'svc', 'etc');
    const file = resolve(config.webhooks_config ?? join(etc, 'webhooks.yaml'));
    const origin = () => optional.registration?.said();
    let opened: WebhooksService | undefined;
    let opening: Promise<WebhooksService> | undefined;
    const open = (): Promise<WebhooksService> => {
      opening ??= import('./open.ts').then(each => each.openWebhooks({ kernel, config, file, scope, log, origin }));
      return opening.then(service => {
        opened = service;
        return service;
      });
    };
    if (config.webhooks_config !== null || config.chatrobot_webhook_url !== null || existsSync(file)) await open();
    app.decorate('webhooks', {
      file,
      list: () => opened?.list() ?? [],
      entries: async () => (await open()).entries(),
      put: async entry => (await open()).put(entry),
      remove: async name => (await open()).remove(name),
      test: async name => (await open()).test(name),
    });
  },
);

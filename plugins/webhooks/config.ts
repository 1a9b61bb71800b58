/** Settings of webhooks. What is sent where stands in a file of its own: `webhooks.yaml`. */
import { type Static, Type } from 'typebox';
import { count, flag, optionalPath, optionalText } from '../../schemas/settings.ts';

export const settings = Type.Object({
  webhooks_config: optionalPath('file of webhooks (default: webhooks.yaml in etc_dir, if there is one)'),
  etc_dir: optionalPath('directory of the files that people edit (default: svc/etc in the home directory)'),
  chatrobot_webhook_url: optionalText('sends messages to the chat robot at this address, without a file'),
  chatrobot_events: Type.String({
    default: 'tool.failed, webhook.delivery_failed',
    description: 'events that the chat robot tells of, separated by commas or lines',
  }),
  chatrobot_template: optionalText("the chat robot's message, as message_template in the file"),
  webhooks_refuse_private: flag(false, 'webhooks may not go to loopback, private and link-local addresses'),
  webhooks_flush_ms: count(2000, 'how long a shutdown waits for webhooks that are not delivered yet'),
});

export type Settings = Static<typeof settings>;

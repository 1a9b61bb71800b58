/** Webhooks: what happens is offered to each that asked for it; its outbox does the rest. */
import type { Bus, Disposer, EventEnvelope, Logger } from '../../kernel/index.ts';
import { nearest } from '../../schemas/nearest.ts';
import { isLike } from '../../schemas/wildcard.ts';
import type { WebhookState } from './api.ts';
import { createOutbox, type Outbox } from './outbox.ts';
import type { Poster } from './post.ts';
import type { Webhook } from './webhook.ts';
import type { WebhooksRead } from './webhooks-file.ts';

const failure = 'webhook.delivery_failed';

export interface Origin {
  readonly instance_id: string;
  readonly dcc_type: string;
}

export interface WebhooksDeps {
  bus: Pick<Bus, 'on' | 'emit'>;
  log: Pick<Logger, 'warn'>;
  poster: Pick<Poster, 'post'>;
  flushMs: number;
  /** The `service` of events about deliveries. */
  service: string;
  /** The instance whose events these are, where it is one. */
  origin(): Origin | undefined;
  /** Of this server; skills and hosts have events of their own. */
  eventNames: readonly string[];
}

interface Running {
  readonly webhook: Webhook;
  readonly outbox: Outbox;
  readonly undos: readonly Disposer[];
}

export function createWebhooks({ bus, log, poster, flushMs, service, origin, eventNames }: WebhooksDeps) {
  let running: readonly Running[] = [];

  const failed = (webhook: Webhook, event: { id: string; name: string }, attempts: number, error: string): void => {
    log.warn({ webhook: webhook.name, event: event.name, attempts }, `a webhook was not delivered: ${error}`);
    // An event about it that is lost is not told again: two webhooks that fail would tell each other for ever.
    if (event.name === failure) return;
    bus.emit(failure, {
      source: { service, webhook: webhook.name },
      correlation: { event_id: event.id, event_name: event.name },
      attributes: { webhook: webhook.name, url: webhook.shownUrl, attempts, error },
    });
  };

  const start = (webhook: Webhook, capacity: number): Running => {
    const named = { webhook: webhook.name };
    for (const pattern of webhook.events) {
      const doubt = doubtOf(pattern, eventNames);
      if (doubt !== undefined) log.warn({ ...named, pattern }, `no event of this server is called that${doubt}`);
    }
    const outbox = createOutbox(webhook, {
      capacity,
      poster,
      onFull: () => log.warn(named, `${capacity} deliveries wait for a webhook: newer events are dropped`),
      onRoom: dropped => log.warn({ ...named, dropped }, 'a webhook takes events again; those between were dropped'),
      onFailed: (event, attempts, error) => failed(webhook, event, attempts, error),
    });
    const hear = (event: EventEnvelope): void => {
      // What was published in the legacy form is no envelope; what a gateway asked for, the gateway tells itself.
      if (event.schema_version !== 1 || event.source.via === 'gateway') return;
      if (event.name === failure && event.attributes.webhook === webhook.name) return;
      const known = identified(event, origin());
      if (webhook.takes(known)) outbox.offer(known);
    };
    return { webhook, outbox, undos: subscribe(bus, webhook.events, hear) };
  };

  const stop = async (stopped: readonly Running[]): Promise<void> => {
    for (const undo of stopped.flatMap(each => each.undos)) void undo();
    await Promise.all(stopped.map(each => each.outbox.flush(flushMs)));
  };

  return {
    /** Uses these from now on; what waits for those before is delivered first, as far as the time for it goes. */
    async use({ webhooks, capacity }: WebhooksRead): Promise<void> {
      const before = running;
      running = webhooks.map(each => start(each, capacity));
      await stop(before);
    },
    list: (): WebhookState[] =>
      running.map(({ webhook: { name, kind, shownUrl, events, headers }, outbox }) => ({
        ...{ name, kind, url: shownUrl, events, headers },
        ...outbox.state(),
      })),
    find: (name: string): Webhook | undefined => running.find(each => each.webhook.name === name)?.webhook,
    dispose: (): Promise<void> => stop(running),
  };
}

/** What an event does not say of where it comes from. */
function identified(event: EventEnvelope, origin: Origin | undefined): EventEnvelope {
  if (origin === undefined || event.source.instance_id !== undefined) return event;
  const { instance_id, dcc_type } = origin;
  // A tool may be of another host type than the instance that runs it.
  const own = event.attributes.dcc_type === undefined ? { dcc_type } : {};
  return { ...event, source: { ...own, ...event.source, instance_id } };
}

/**
 * What makes a pattern look misspelt, as the end of a sentence; undefined for one that fits, and for one that is about
 * something else: skills and hosts tell of what they like, and a gateway has not all events of an instance.
 */
function doubtOf(pattern: string, known: readonly string[]): string | undefined {
  if (known.some(each => isLike(each, [pattern]))) return undefined;
  const meant = nearest(pattern.replace(/\.\*$/, ''), known);
  if (meant !== undefined) return `: did you mean ${meant}?`;
  const [family = ''] = pattern.split('.', 1);
  const relatives = known.filter(each => each.startsWith(`${family}.`));
  return relatives.length > 0 ? `: there are ${relatives.join(', ')}` : undefined;
}

/** Hears each event that matches one of the patterns, once. */
function subscribe(
  bus: Pick<Bus, 'on'>,
  patterns: readonly string[],
  hear: (event: EventEnvelope) => void,
): Disposer[] {
  const wild = [...new Set(patterns.filter(each => each.includes('*')))];
  const exact = [...new Set(patterns)].filter(each => !each.includes('*') && !isLike(each, wild));
  // The bus knows `prefix.*` and `*`. Whatever else has a star hears everything, and so makes every event be built.
  if (wild.every(each => /^([^*]+\.)?\*$/.test(each)) && wild.length <= 1) {
    return [...wild, ...exact].map(each => bus.on(each, hear));
  }
  return [bus.on('*', event => (isLike(event.name, patterns) ? hear(event) : undefined))];
}

/** Webhooks and the chat robot as the page shows and changes them. It knows no transport; no secret goes out. */
import { type Json, objectOf } from '../../schemas/loose.ts';
import type { WebhookInput, WebhooksService } from '../webhooks/api.ts';
import { adminErrors } from './errors.ts';

/** A part that people can change, and how it fares. */
export function createIntegrations(webhooks: WebhooksService) {
  const nameOf = (body: unknown): string => {
    const { name } = objectOf(body);
    if (typeof name === 'string' && name.trim() !== '') return name;
    throw adminErrors.INPUT({ reason: '"name" is missing: it says which webhook is meant' });
  };

  return {
    /** `entries` are those of the file; `running` those in use, the shortcut of the environment included. */
    async list(): Promise<Json> {
      const running = webhooks.list();
      try {
        const entries = await webhooks.entries();
        return { webhooks: { file: webhooks.file, entries, running, problem: null }, pending_restart: false };
      } catch (error) {
        const problem = (error as Error).message;
        return { webhooks: { file: webhooks.file, entries: [], running, problem }, pending_restart: false };
      }
    },
    /** A new one: what there is of its name stays as it is. */
    async add(body: unknown): Promise<Json> {
      const name = nameOf(body);
      const taken = (await webhooks.entries()).some(each => each.name === name);
      if (taken) throw adminErrors.NAME_TAKEN({ name, file: webhooks.file });
      return this.put(body);
    },
    async put(body: unknown): Promise<Json> {
      const name = nameOf(body);
      await webhooks.put({ ...objectOf(body), name } as WebhookInput);
      return this.list();
    },
    async remove(name: string): Promise<Json> {
      if (!(await webhooks.remove(name))) throw adminErrors.NO_WEBHOOK({ name, file: webhooks.file });
      return this.list();
    },
    /** Delivers an event that is made up, once. */
    async test(body: unknown): Promise<Json> {
      const name = nameOf(body);
      const error = await webhooks.test(name);
      return { name, delivered: error === null, error };
    },
  };
}

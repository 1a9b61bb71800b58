/** A package outside declares its events of `'svc'`; `tsc` checks what a host and a plugin then see. */
import { expectTypeOf, test } from 'vitest';
import type { EventAttributes, ServerBus } from '../../../plugins/index.ts';

declare module '../../../plugins/index.ts' {
  interface KernelEvents {
    'studio.shot_published': { shot: string };
  }
}

test('bus types: the house and another package declare events of one bus', () => {
  expectTypeOf<EventAttributes<'studio.shot_published'>>().toEqualTypeOf<{ shot: string }>();
  expectTypeOf<EventAttributes<'skill.loaded'>>().toHaveProperty('skill_name');
  expectTypeOf<EventAttributes<'instance.left'>['reason']>().toEqualTypeOf<string>();
  expectTypeOf<EventAttributes<'studio.anything_else'>>().toEqualTypeOf<Record<string, unknown>>();
  const listen = (bus: ServerBus) => bus.subscribe('job.updated', event => event.attributes.status);
  expectTypeOf(listen).returns.resolves.toEqualTypeOf<number>();
});

/** Tracing: what this process does with a request, as spans, for whoever takes them. They are made while somebody does. */
import { definePlugin } from '../../../kernel/index.ts';
import type {} from './api.ts';
import { createTracing } from './tracing.ts';

export const tracingPlugin = definePlugin({ name: 'tracing' }, (app, { kernel, log }) => {
  app.decorate(
    'tracing',
    createTracing(kernel.ids, err => log.error({ err }, 'who takes spans failed')),
  );
});

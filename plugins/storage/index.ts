/** Durable storage: databases that one process owns. Nothing is loaded before somebody opens one. */

import { definePlugin } from '../../kernel/index.ts';
import { storageErrors } from './errors.ts';
import './api.ts';
import { createStorage } from './storage.ts';

export const storagePlugin = definePlugin({ name: 'storage', errors: storageErrors }, (app, { scope }) => {
  app.decorate('storage', createStorage(scope));
});

/** The shared file registry; nothing is read, written or watched until somebody asks. */

import { definePlugin, type JsonSchema, type Validator } from '../../../kernel/index.ts';
import { InstanceRowSchema } from '../../../schemas/instance.ts';
import type {} from './api.ts';
import { settings } from './config.ts';
import { registryDirectory } from './directory.ts';
import { registryErrors } from './errors.ts';
import { createRegistryService } from './registry.ts';

export const registryPlugin = definePlugin(
  { name: 'registry', errors: registryErrors, config: settings },
  (app, { kernel, config, log }) => {
    let compiled: Validator | undefined;
    const validator = (): Validator => {
      compiled ??= kernel.schemas.compileWithDefaults(InstanceRowSchema as unknown as JsonSchema);
      return compiled;
    };
    const registry = createRegistryService({
      directory: registryDirectory(config.registry_dir),
      validator,
      now: kernel.ids.now,
      steady: () => kernel.ids.nowNs() / 1e6,
      onWatchFailure: err => log.warn({ err }, 'the registry cannot be watched: it is read from time to time'),
    });
    app.decorate('registry', registry);
  },
);

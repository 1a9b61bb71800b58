/** `capture://current_window`, where a capture backend really works: X11 on Linux. */

import { definePlugin, type Plugin } from '../../../../kernel/index.ts';
import { captureErrors } from './errors.ts';
import { createPrograms } from './programs.ts';
import { createWindowCapture } from './window.ts';
import { createX11Backend, displayEnvironment } from './x11.ts';

const longestCaptureMs = 10_000;
/** A look at a display that is not there costs two or three programs. */
const restBetweenLooks = 15_000;

/** The environment says which display there is, and where programs are looked for; `restMs`, how soon it is looked at again. */
export const createSchemeCapturePlugin = (restMs: number): Plugin =>
  definePlugin(
    { name: 'scheme-capture', errors: captureErrors, dependencies: ['resources'] },
    (app, { kernel: { env, config }, scope, log }) => {
      const programs = createPrograms(displayEnvironment(env));
      const limits = {
        deadlineMs: Math.min(longestCaptureMs, config.request_timeout_ms),
        maxBytes: Math.floor((app.resources.maxBytes * 3) / 4),
      };
      const window = createWindowCapture({
        find: () => createX11Backend(programs, limits),
        onChange(works) {
          if (scope.disposed) return;
          log.info(`capture://current_window is ${works ? 'listed' : 'hidden: captures fail on this display'}`);
          app.resources.listChanged();
        },
        restMs,
      });
      scope.add('capture programs', programs.dispose);
      scope.add('capture://', app.resources.addProducer(window.producer));
      // A program may need a second to answer: nobody waits for it.
      if (process.platform === 'linux' && env.DISPLAY) app.addHook('onListen', () => void window.look());
    },
  );

export const schemeCapturePlugin = createSchemeCapturePlugin(restBetweenLooks);

/** `capture://current_window`, where a capture backend really works: X11 on Linux. */
import { definePlugin, type Environment, type Plugin } from '../../kernel/index.ts';
import { createPrograms } from './programs.ts';
import { createWindowCapture } from './window.ts';
import { createX11Backend, displayEnvironment } from './x11.ts';

const longestCaptureMs = 10_000;

/** `env` says which display there is, and where programs are looked for. */
export const createSchemeCapturePlugin = (env: Environment = {}): Plugin =>
  definePlugin({ name: 'scheme-capture', dependencies: ['resources'] }, (app, { config, scope, log }) => {
    const window = createWindowCapture();
    scope.add('capture://', app.resources.addProducer(window.producer));
    if (process.platform !== 'linux' || !env.DISPLAY) return;

    const programs = createPrograms(displayEnvironment(env));
    scope.add('capture programs', programs.dispose);
    const limits = {
      deadlineMs: Math.min(longestCaptureMs, config.request_timeout_ms),
      maxBytes: Math.floor((config.max_resource_bytes * 3) / 4),
    };
    // A program may need a second to answer: nobody waits for it.
    app.addHook('onListen', () => {
      window
        .probe(() => createX11Backend(programs, limits))
        .then(works => {
          if (!works) log.info('capture://current_window is hidden: no capture backend works on this display');
          else if (!scope.disposed) app.resources.listChanged();
        });
    });
  });

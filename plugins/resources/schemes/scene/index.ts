/** `scene://current` and `scene://delta`. */
import { definePlugin } from '../../../../kernel/index.ts';
import type {} from './api.ts';
import { createScene } from './scene.ts';

export const schemeScenePlugin = definePlugin(
  { name: 'scheme-scene', dependencies: ['resources'] },
  (app, { scope, log }) => {
    const scene = createScene({
      onChange: uri => app.resources.updated(uri),
      onFailure: err => log.error({ err }, 'a scene snapshot could not be compared with the one before'),
    });
    scope.add('comparison', scene.dispose);
    scope.add('scene://', app.resources.addProducer(scene.producer));
    app.decorate('schemeScene', scene);
  },
);

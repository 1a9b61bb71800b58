/** `scene://current` and `scene://delta`. */
import { definePlugin } from '../../kernel/index.ts';
import type {} from './api.ts';
import { createScene } from './scene.ts';

export const schemeScenePlugin = definePlugin(
  { name: 'scheme-scene', dependencies: ['resources'] },
  (app, { scope }) => {
    const scene = createScene(uri => app.resources.updated(uri));
    scope.add('scene://', app.resources.addProducer(scene.producer));
    app.decorate('schemeScene', scene);
  },
);

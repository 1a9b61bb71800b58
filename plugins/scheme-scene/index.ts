/** `scene://current` and `scene://delta`. */
import { definePlugin } from '../../kernel/index.ts';
import { createScene, type Scene } from './scene.ts';

declare module 'fastify' {
  interface FastifyInstance {
    schemeScene: Scene;
  }
}

export const schemeScenePlugin = definePlugin(
  { name: 'scheme-scene', dependencies: ['resources'] },
  (app, { scope }) => {
    const scene = createScene(uri => app.resources.updated(uri));
    scope.add('scene://', app.resources.addProducer(scene.producer));
    app.decorate('schemeScene', scene);
  },
);

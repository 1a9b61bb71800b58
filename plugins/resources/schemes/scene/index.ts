/** `scene://current` and `scene://delta`. */
import { Type } from 'typebox';
import { definePlugin } from '../../../../kernel/index.ts';
import { inputOf } from '../../../../schemas/operation.ts';
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
    const input = inputOf({ text: Type.Union([Type.String(), Type.Null()]) });
    scope.add(
      'operation',
      app.host.operation('setScene', input, ({ text }) => scene.setSceneText(text)),
    );
  },
);

/** The host's scene: made text on its thread, which alone has the value. */
import { type HostHalf, wrongArgument } from '../../../../kernel/light.ts';
import { sceneText } from './snapshot.ts';

export interface HostScene {
  /** Replaces or, with null, clears the scene snapshot; an identical one emits nothing. */
  setScene(snapshot: unknown): Promise<void>;
}

export const sceneHalf = {
  plugin: 'scheme-scene',
  operations: ['setScene'],
  open: (link): HostScene => ({
    async setScene(snapshot) {
      let text: string | null;
      try {
        text = sceneText(snapshot);
      } catch (error) {
        throw wrongArgument('snapshot', 'plain JSON, or null', error);
      }
      await link.call('setScene', { text });
    },
  }),
} satisfies HostHalf<HostScene>;

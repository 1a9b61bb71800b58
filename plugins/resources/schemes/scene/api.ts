/** What the server object and other plugins may know of the scene. */
export interface SceneService {
  /** As `setSceneText`, of a value; throws a TypeError for one that JSON has no word for. */
  setScene(snapshot: unknown): void;
  /**
   * Replaces or, with null, clears the snapshot, given as JSON. `scene://current` has it at once; it is compared with
   * the one before afterwards, and makes a revision, and is told to followers, when that found a change. Of several
   * that come faster than they are compared, those between the one in work and the newest are passed over.
   */
  setSceneText(text: string | null): void;
  /** Of the newest snapshot that was compared. */
  readonly revision: number;
}

declare module 'fastify' {
  interface FastifyInstance {
    schemeScene: SceneService;
  }
}

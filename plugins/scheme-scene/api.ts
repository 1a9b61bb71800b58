/** What the server object and other plugins may know of the scene. */
export interface SceneService {
  /** As `setSceneText`, of a value; throws a TypeError for one that JSON has no word for. */
  setScene(snapshot: unknown): void;
  /** Replaces or, with null, clears the snapshot, given as JSON. An equal one changes nothing and tells nobody. */
  setSceneText(text: string | null): void;
  readonly revision: number;
}

declare module 'fastify' {
  interface FastifyInstance {
    schemeScene: SceneService;
  }
}

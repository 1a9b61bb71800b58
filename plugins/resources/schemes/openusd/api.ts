/** What the host and other plugins may know of OpenUSD projects. */
import type { Disposer } from '../../../../kernel/light.ts';

/** An item of a family: a path below the project root, or an object with a path, with content of its own, or a name alone. */
export type UsdItem =
  | string
  | {
      name?: string;
      /** Absolute, or relative to the project root. */
      path?: string;
      /** A text, or JSON; served instead of a file. */
      content?: unknown;
      description?: string;
      mime_type?: string;
    };

/** A project as the host describes it. Plain data: it crosses between threads. */
export interface UsdProject {
  /** Folder; nothing outside it is ever read. */
  project_root: string;
  /** Path of the primary stage or root layer. */
  stage: string;
  /** Further layers; those that the stage composes are found in its text. */
  layers?: readonly UsdItem[];
  /** Further dependencies; those that the layers name are found in their text. */
  assets?: readonly UsdItem[];
  materials?: readonly UsdItem[];
  /** Reports, such as `{ name: 'usdchecker', content: { errors: [] } }`. */
  validation?: readonly UsdItem[];
  snapshots?: readonly UsdItem[];
  packages?: readonly UsdItem[];
  /** Default: the name of the folder. */
  project_label?: string;
}

export interface OpenUsdService {
  /**
   * Serves a project as `openusd://`, one at a time; rejects with SVC_OPENUSD_*. From the first list, read or
   * subscription on its folders are watched, at most 1,000 of them and those of layers first; what changes in others is
   * noticed, and told, when somebody lists or reads.
   */
  register(project: UsdProject): Promise<Disposer>;
}

declare module 'fastify' {
  interface FastifyInstance {
    schemeOpenusd: OpenUsdService;
  }
}

/** What the host and other plugins may know of artefacts. */

/** What a producer of an artefact may say of it. */
export interface ArtefactInfo {
  mime?: string;
  display_name?: string;
  producer_job_id?: string;
  tool_call_id?: string;
  session_id?: string;
  correlation_id?: string;
  /** RFC 3339 time after which the artefact counts as not stored. */
  expires_at?: string;
  /** Any JSON. */
  metadata?: unknown;
}

/** The sidecar of an artefact (shape:artefact). */
export interface FileRef extends ArtefactInfo {
  /** `artefact://sha256/<hex>`. */
  uri: string;
  size_bytes: number;
  digest: string;
  created_at: string;
}

/** A content-addressed store; it may be shared by several servers. */
export interface ArtefactStore {
  putBytes(bytes: Uint8Array, info?: ArtefactInfo): Promise<FileRef>;
  putFile(path: string, info?: ArtefactInfo): Promise<FileRef>;
  /** The sidecar and the bytes, verified; undefined when not stored, expired or damaged. */
  get(uri: string, maxBytes?: number): Promise<{ ref: FileRef; bytes: Uint8Array } | undefined>;
  /** Every sidecar that has not expired, oldest first. */
  list(): Promise<FileRef[]>;
}

declare module 'fastify' {
  interface FastifyInstance {
    schemeArtefact: ArtefactStore;
  }
}

/** Which job a request became, while the job runs: a client may cancel the request after its receipt. */

type RequestId = string | number;

export function createRequestJobs() {
  /** Ids are unique within their session only, and 1 is not "1". */
  const sessions = new Map<string, Map<RequestId, string>>();

  return {
    /** A client that uses an id twice means the newest. */
    bind(sessionId: string, requestId: RequestId, jobId: string): void {
      const known = sessions.get(sessionId);
      if (known) known.set(requestId, jobId);
      else sessions.set(sessionId, new Map([[requestId, jobId]]));
    },
    release(sessionId: string, requestId: RequestId, jobId: string): void {
      const known = sessions.get(sessionId);
      if (known?.get(requestId) !== jobId) return;
      known.delete(requestId);
      if (known.size === 0) sessions.delete(sessionId);
    },
    find: (sessionId: string, requestId: RequestId): string | undefined => sessions.get(sessionId)?.get(requestId),
  };
}

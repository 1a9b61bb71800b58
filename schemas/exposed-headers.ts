/** Headers of answers that pages of other origins may read, where CORS is on. */
export const exposed = [
  'Mcp-Session-Id',
  'WWW-Authenticate',
  'Retry-After',
  'X-Request-Id',
  'X-Svc-Request-Id',
  'X-Svc-Trace-Id',
  'X-Svc-Search-Id',
  'X-Svc-Response-Format',
  'X-Svc-Index-Generation',
];

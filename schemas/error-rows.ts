/** Rows of an error table that share all but their templates: what JSON-RPC, HTTP and REST call them, then each of them. */
export const alike = <const Templates extends Record<string, string>>(
  [rpc, http, kind]: readonly [rpc: number | null, http: number, kind?: string],
  templates: Templates,
) =>
  Object.fromEntries(
    Object.entries(templates).map(([key, template]) => [key, { rpc, http, template, ...(kind && { kind }) }]),
  ) as { readonly [Key in keyof Templates]: { rpc: number | null; http: number; kind?: string; template: string } };

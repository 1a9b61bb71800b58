/** The log of what goes wrong in a host, which hosts write and `svc-cli feedback bundle` reads: its name and its lines. Pure. */

/** Stands before the JSON of a line, whatever stands before it. */
export const hostErrorPrefix = 'dcc_mcp_core.host_errors: ';
export const hostErrorEvent = 'dcc_host_error';

/** Of one process of a host. */
export const hostErrorFile = (dcc_type: string, pid: number): string =>
  `svc-${dcc_type.replaceAll(/[^\w.-]/g, '') || 'dcc'}.${pid}.host-errors.log`;

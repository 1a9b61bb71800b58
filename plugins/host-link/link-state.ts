/** How the link to the host is. */

/** How the link is, as `/health` shows it. */
export interface LinkState {
  state: 'connected' | 'busy' | 'silent';
  /** Since the main thread of the host came by. */
  main_lag_ms: number;
  /** What it runs. */
  tool: string | null;
  running: number;
  waiting: number;
}

/** The peer's side of the benchmark's IPC. */

export type Commands = Record<string, (params: never) => unknown>;

/** What the benchmark passed at start. */
export const settings = JSON.parse(process.argv[2] ?? '{}') as Record<string, unknown>;

/** Tells the benchmark where the peer listens, and answers its commands from then on. */
export function serveCommands(url: string, commands: Commands = {}): void {
  process.on('message', async ({ id, command, params }: { id: number; command: string; params: unknown }) => {
    try {
      const run = commands[command];
      if (!run) throw new Error(`no command "${command}"`);
      process.send?.({ id, value: (await run(params as never)) ?? null });
    } catch (error) {
      process.send?.({ id, error: error instanceof Error ? error.message : String(error) });
    }
  });
  process.on('disconnect', () => process.exit());
  process.send?.({ url });
}

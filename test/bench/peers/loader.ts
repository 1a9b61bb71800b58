/** A load in a process of its own, for a benchmark whose own work would delay what it measures. */
import { load } from '../load.ts';
import { serveCommands } from './command.ts';

interface Ask {
  url: string;
  /** One per connection. */
  bodies: string[];
  headers: Record<string, string>;
  seconds: number;
  pace: number;
}

serveCommands('loader:', {
  load: ({ bodies, ...rest }: Ask) =>
    load({ ...rest, bodies: connection => [bodies[connection] as string], connections: bodies.length }),
});

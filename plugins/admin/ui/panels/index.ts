/** The panels of the page, in the order of their list. A new one is a folder here and a line below. */
import type { Panel } from '../shell/panel.ts';
import { calls } from './calls/index.tsx';
import { connect } from './connect/index.tsx';
import { events } from './events/index.tsx';
import { feedback } from './feedback/index.tsx';
import { instances } from './instances/index.tsx';
import { integrations } from './integrations/index.tsx';
import { jobs } from './jobs/index.tsx';
import { logs } from './logs/index.tsx';
import { overview } from './overview/index.tsx';
import { tools } from './tools/index.tsx';
import { traces } from './traces/index.tsx';
import { traffic } from './traffic/index.tsx';

export const panels: readonly Panel[] = [
  ...[overview, instances, calls, traces, traffic, jobs, events, logs],
  ...[tools, feedback],
  ...[integrations, connect],
];

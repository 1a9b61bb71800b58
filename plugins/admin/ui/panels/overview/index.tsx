/** Overview: how the gateway fares now, and how it fared in the last minutes. */
import { useEffect, useMemo } from 'preact/hooks';
import type { CallRow } from '../../../frames.ts';
import { Chart } from '../../parts/chart.tsx';
import { bytes, ms, number, percent, span, toolName, when } from '../../parts/format.ts';
import { eventKey, keyOf, reasonOf } from '../../parts/keys.ts';
import { useMerged } from '../../parts/merged.ts';
import { useQuery } from '../../parts/query.ts';
import { Badge, Figure } from '../../parts/small.tsx';
import { Empty, Failed, Loading } from '../../parts/states.tsx';
import { calls, events, instances, jobs as told } from '../../shell/live.ts';
import type { Panel } from '../../shell/panel.ts';
import type { EventRow } from '../../shell/rows.ts';
import { linkTo } from '../../shell/url.ts';
import { type Health, type Jobs, seriesOf, sum, useHistory } from './figures.ts';

const newest = 8;
/** What no event tells is read anew so often. */
const againMs = 15_000;

function View() {
  const health = useQuery<Health>('health');
  useEffect(() => {
    const timer = setInterval(health.reload, againMs);
    return () => clearInterval(timer);
  }, [health.reload]);
  if (!health.data) {
    return health.error ? <Failed error={health.error} retry={health.reload} /> : <Loading what="the overview" />;
  }
  return (
    <div class="body">
      <Figures health={health.data} />
      <Charts />
      <div class="cards">
        <Failures />
        <Happenings />
      </div>
    </div>
  );
}

function Figures({ health }: { health: Health }) {
  const { data, reload } = useQuery<Jobs>('tasks');
  useEffect(reload, [told.value]);
  const jobs = data?.tasks ?? [];
  const recent = useHistory().slice(-60);
  const all = [...instances.value.values()].filter(each => !each.dead);
  const ready = all.filter(each => each.status === 'available' || each.status === 'busy').length;
  const { count, failed, p50, p95 } = sum(recent);
  const waiting = jobs.filter(each => ['pending', 'queued'].includes(String(each.status))).length;
  const running = jobs.filter(each => each.status === 'running').length;
  const rate = count === 0 ? 0 : failed / count;
  return (
    <dl class="figures" aria-label="Now">
      <Figure label="Gateway" tone={health.status === 'ok' ? undefined : 'warn'} note={about(health)}>
        {health.status === 'ok' ? 'Healthy' : health.status}
      </Figure>
      <Figure
        label="Instances ready"
        tone={ready < all.length ? 'warn' : undefined}
        note={<a href={linkTo('instances')}>{all.length} known</a>}
      >
        {ready}
      </Figure>
      <Figure label="Calls a second" note="last minute">
        {number(Math.round((count / Math.max(1, recent.length)) * 10) / 10)}
      </Figure>
      <Figure label="p50" note="last minute">
        {ms(p50)}
      </Figure>
      <Figure label="p95" note="last minute">
        {ms(p95)}
      </Figure>
      <Figure label="Error rate" tone={rate > 0.05 ? 'bad' : undefined} note={`${number(failed)} of ${number(count)}`}>
        {percent(rate)}
      </Figure>
      <Figure label="Jobs" note={<a href={linkTo('jobs')}>{waiting} waiting</a>}>
        {running}
      </Figure>
    </dl>
  );
}

const about = ({ uptime_secs, rss_bytes }: Health): string => `up ${span(uptime_secs)}, ${bytes(rss_bytes)}`;

function Charts() {
  const history = useHistory();
  const data = useMemo(() => seriesOf(history), [history]);
  return (
    <div class="cards">
      <Chart
        title="Calls a second"
        label={`Calls a second over the last ${span(history.length)}`}
        unit=""
        say={number}
        lines={[
          { label: 'all', colour: 'accent', fill: true },
          { label: 'failed', colour: 'bad', fill: true },
        ]}
        data={[data.at, data.calls, data.failed]}
      />
      <Chart
        title="Latency"
        label={`Latency over the last ${span(history.length)}`}
        unit=" ms"
        say={ms}
        lines={[
          { label: 'p50', colour: 'accent' },
          { label: 'p95', colour: 'warn' },
        ]}
        data={[data.at, data.p50, data.p95]}
      />
    </div>
  );
}

function Failures() {
  const { data } = useQuery<{ calls: CallRow[] }>(`calls?success=false&limit=${newest}`);
  const failed = useMerged(calls.value, data?.calls, keyOf)
    .filter(each => !each.success)
    .slice(0, newest);
  return (
    <section class="card" aria-labelledby="failures">
      <h2 id="failures">
        Newest failures
        <a class="note" href={linkTo('calls', { status: 'failed' })}>
          All failed calls
        </a>
      </h2>
      {!data ? (
        <Loading what="failures" />
      ) : failed.length === 0 ? (
        <Empty title="No call has failed" />
      ) : (
        <ul class="brief">
          {failed.map(each => (
            <li key={keyOf(each)}>
              <span class="muted">{when(each.timestamp)}</span>
              <a class="mono" title={each.tool} href={linkTo('calls', { call: each.request_id })}>
                {toolName(each.tool)}
              </a>
              <span class="cut bad" title={each.error}>
                {each.error ?? each.error_kind ?? 'failed'}
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Happenings() {
  const { data } = useQuery<{ events: EventRow[] }>(`events?limit=${newest}`);
  const shown = useMerged(events.value, data?.events, eventKey).slice(0, newest);
  return (
    <section class="card" aria-labelledby="happenings">
      <h2 id="happenings">
        Newest events
        <a class="note" href={linkTo('events')}>
          All events
        </a>
      </h2>
      {!data ? (
        <Loading what="events" />
      ) : shown.length === 0 ? (
        <Empty title="Nothing has happened yet" />
      ) : (
        <ul class="brief">
          {shown.map(each => (
            <li key={eventKey(each)}>
              <span class="muted">{when(each.timestamp)}</span>
              <Badge tone="none">{each.event}</Badge>
              <span class="cut">{reasonOf(each)}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

export const overview: Panel = {
  ...{ name: 'overview', title: 'Overview', group: 'Observe', View },
  icon: 'M2 9h3v5H2zM6.5 5h3v9h-3zM11 2h3v12h-3z',
  about: 'How the gateway fares now, and in the last minutes.',
};

/** One call from client to skill: where its time went, what went in and out, and what was reported about it. */
import { linkTo } from '../shell/url.ts';
import { Drawer } from './drawer.tsx';
import { ms, toolName, when } from './format.ts';
import { Body, type Payload } from './payload.tsx';
import { useQuery } from './query.ts';
import { Save } from './save.tsx';
import { Badge, Facts } from './small.tsx';
import { Failed, Loading } from './states.tsx';

interface Span {
  span_id: string;
  name: string;
  started_ns: number;
  duration_ns: number;
  ok: boolean;
  attributes: Record<string, unknown>;
}

interface Trace {
  request_id: string;
  trace_id: string;
  method: string;
  tool_slug: string;
  instance_id?: string;
  session_id?: string;
  parent_request_id?: string;
  dcc_type?: string;
  transport?: string;
  started_at: string;
  total_ms: number;
  ok: boolean;
  spans: Span[];
  input?: Payload;
  output?: Payload;
  error?: { kind: string; message: string };
  agent_context?: Record<string, unknown>;
  links: { issue_report: string };
}

interface Finding {
  id: string;
  tool_slug?: string;
  severity?: string;
  observed?: string;
  evidence?: { request_id?: string };
}

export function TraceDrawer({ id, onClose }: { id: string; onClose(): void }) {
  const query = useQuery<Trace>(`traces/${encodeURIComponent(id)}`);
  const trace = query.data;
  return (
    <Drawer key={id} label={`Call ${id}`} title={trace ? toolName(trace.tool_slug) : 'Call'} onClose={onClose}>
      {trace ? (
        <Detail trace={trace} />
      ) : query.error ? (
        <Failed error={query.error} retry={query.reload} />
      ) : (
        <Loading what="the call" />
      )}
    </Drawer>
  );
}

function Detail({ trace }: { trace: Trace }) {
  const { error, input, output, instance_id } = trace;
  return (
    <>
      <div class="row">
        <Badge tone={trace.ok ? 'ok' : 'bad'}>{trace.ok ? 'ok' : 'failed'}</Badge>
        <strong>{ms(trace.total_ms)}</strong>
        <span class="muted">{when(trace.started_at)}</span>
        <a href={linkTo('traffic', { q: trace.request_id })}>Traffic</a>
        <Save path={trace.links.issue_report} name={`issue-report-${trace.request_id.slice(0, 40)}.json`}>
          Issue report
        </Save>
      </div>
      {error && (
        <p class="notice is-bad">
          <strong>{error.kind}</strong>: {error.message}
        </p>
      )}
      <Waterfall spans={trace.spans} />
      <Findings trace={trace} />
      <Facts
        of={[
          ['Tool', <code>{trace.tool_slug}</code>],
          [
            'Instance',
            instance_id && (
              <a href={linkTo('instances', { instance: instance_id })}>{`${trace.dcc_type} ${instance_id}`}</a>
            ),
          ],
          ['Request', <code>{trace.request_id}</code>],
          ['Trace', <code>{trace.trace_id}</code>],
          ['Batch', trace.parent_request_id],
          ['Session', trace.session_id],
          ['Came by', [trace.transport, trace.method].filter(Boolean).join(', ')],
          ['Agent', trace.agent_context && <code>{JSON.stringify(trace.agent_context)}</code>],
        ]}
      />
      <Body title="Arguments" payload={input} />
      <Body title="Answer" payload={output} />
    </>
  );
}

function Waterfall({ spans }: { spans: readonly Span[] }) {
  const began = Math.min(...spans.map(each => each.started_ns));
  const whole = Math.max(...spans.map(each => each.started_ns + each.duration_ns)) - began || 1;
  const share = (ns: number): string => `${Math.min(100, Math.max(0, (ns / whole) * 100)).toFixed(2)}%`;
  return (
    <section aria-label="Where the time went">
      <h3>Where the time went</h3>
      <ol class="waterfall">
        {spans.map(each => (
          <li key={each.span_id}>
            <span class="span-name">{each.name}</span>
            <span class="span-track">
              <span
                class={`span-bar ${each.ok ? '' : 'is-bad'}`}
                style={{ marginLeft: share(each.started_ns - began), width: share(each.duration_ns) }}
              />
            </span>
            <span class="span-time">{ms(each.duration_ns / 1e6)}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** Those that name this call, then those about its tool. */
function Findings({ trace }: { trace: Trace }) {
  const { data } = useQuery<{ entries: Finding[] }>('feedback?range=all&limit=1000');
  const name = toolName(trace.tool_slug);
  const about = data?.entries.filter(each => [trace.tool_slug, name].includes(each.tool_slug ?? ''));
  const same = data?.entries.filter(each => each.evidence?.request_id === trace.request_id) ?? [];
  const others = (about ?? []).filter(each => !same.includes(each));
  if (same.length + others.length === 0) return null;
  return (
    <section>
      <h3>What was reported</h3>
      <ul class="brief">
        {[...same, ...others].slice(0, 5).map(each => (
          <li key={each.id}>
            <Badge>{each.severity ?? 'finding'}</Badge>
            <a class="cut" href={linkTo('feedback', { finding: each.id, range: 'all' })}>
              {each.observed ?? each.id}
            </a>
            <span class="muted">{same.includes(each) ? 'this call' : 'this tool'}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

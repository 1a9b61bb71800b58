/** One instance: who it is, what it has open, where it stands. */
import { Drawer } from '../../parts/drawer.tsx';
import { when } from '../../parts/format.ts';
import { Badge, Code, Facts } from '../../parts/small.tsx';
import { Empty } from '../../parts/states.tsx';
import type { InstanceRow } from '../../shell/rows.ts';
import { linkTo, setParams } from '../../shell/url.ts';
import { statusOf, troubleOf } from './trouble.ts';

export function InstanceDetail({ row, onClose }: { row: InstanceRow; onClose(): void }) {
  const trouble = troubleOf(row);
  const { pool, diagnostics, metadata } = row;
  return (
    <Drawer key={row.instance_id} label={`Instance ${row.display_id}`} title={row.display_id} onClose={onClose}>
      <div class="row">
        <Badge>{statusOf(row)}</Badge>
        <a href={linkTo('tools', { instance: row.instance_id })}>Tools</a>
        <a href={linkTo('tools', { tab: 'skills', instance: row.instance_id })}>Skills</a>
        <a href={linkTo('calls', { instance: row.instance_id })}>Calls</a>
        <a href={linkTo('jobs', { instance: row.instance_id })}>Jobs</a>
      </div>
      {trouble && <p class="notice is-warn">{trouble}</p>}
      <Facts
        of={[
          ['Instance', <code>{row.instance_id}</code>],
          ['Host', [row.dcc_type, row.version].filter(Boolean).join(' ')],
          ['Adapter', [row.adapter_dcc, row.adapter_version].filter(Boolean).join(' ')],
          ['Scene', row.scene],
          ['Documents', row.documents.length > 0 && row.documents.map(each => <div key={each}>{each}</div>)],
          ['Address', <code>{row.mcp_url}</code>],
          ['Found by', row.source],
          ['Process', row.pid],
          ['Host process', row.host_pid],
          ['Last heartbeat', when(row.last_heartbeat)],
          ['Calls at once', pool.capacity],
          ['Leased by', pool.lease_owner],
          ['Works on', pool.current_job_id],
        ]}
      />
      {diagnostics.last_error && (
        <section>
          <h3>Last error, {when(diagnostics.last_error.at_unix_secs * 1000)}</h3>
          <p>{diagnostics.last_error.message}</p>
        </section>
      )}
      {diagnostics.readiness && (
        <section>
          <h3>Readiness</h3>
          <div class="row">
            {Object.entries(diagnostics.readiness).map(([name, ready]) => (
              <Badge key={name} tone={ready ? 'ok' : 'warn'}>
                {name}
              </Badge>
            ))}
          </div>
        </section>
      )}
      {Object.keys(metadata).length > 0 && <Code label="Metadata" text={JSON.stringify(metadata, null, 2)} />}
    </Drawer>
  );
}

/** Where somebody looks at an instance that went, or follows an old link. */
export function InstanceGone({ id }: { id: string }) {
  return (
    <Drawer key={id} label={`Instance ${id}`} title="Instance" onClose={() => setParams({ instance: '' })}>
      <Empty title="It is not here any more">
        <a href={linkTo('events', { q: id.slice(0, 8) })}>See what was noted of it</a>, or{' '}
        <a href={linkTo('calls', { instance: id })}>its calls</a>.
      </Empty>
    </Drawer>
  );
}

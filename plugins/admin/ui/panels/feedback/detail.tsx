/** One finding in full, and the exact lines for its next steps. */
import { Drawer } from '../../parts/drawer.tsx';
import { when } from '../../parts/format.ts';
import { Badge, Code, Facts } from '../../parts/small.tsx';
import { linkTo } from '../../shell/url.ts';

export interface Finding {
  id: string;
  timestamp: number;
  severity?: string;
  phase?: string;
  dcc_type?: string;
  tool_slug?: string;
  tool_name?: string;
  intent?: string;
  observed?: string;
  expected?: string;
  blocker?: string;
  attempt?: string;
  fingerprint?: string;
  adapter?: string;
  adapter_version?: string;
  host_version?: string;
  os?: string;
  repro?: { steps?: string[] };
  evidence?: Record<string, unknown>;
  redaction_status?: { mode?: string };
}

/** As a file for the commands: a finding has neither id nor time. */
const fileOf = ({ id: _, timestamp: __, ...finding }: Finding): string => `${JSON.stringify(finding, null, 2)}\n`;

const standardOrigin = 'http://127.0.0.1:9765';

/** Of this gateway: it has the report of the request. */
function bundleLine(file: string): string {
  const from = location.origin === standardOrigin ? '' : ` --gateway ${location.origin}`;
  return `svc-cli feedback bundle ${file}${from} --json > ${file.replace('finding', 'bundle')}`;
}

export function FindingDetail({ finding, onClose }: { finding: Finding; onClose(): void }) {
  const { evidence = {}, repro } = finding;
  const request = evidence.request_id;
  const file = `finding-${finding.id.slice(0, 8)}.json`;
  const reviewed = finding.redaction_status?.mode === 'public-safe';
  return (
    <Drawer
      key={finding.id}
      label={`Finding ${finding.id}`}
      title={finding.tool_slug ?? finding.tool_name ?? 'Finding'}
      onClose={onClose}
    >
      <div class="row">
        <Badge>{finding.severity ?? 'unknown'}</Badge>
        <span class="muted">{when(finding.timestamp * 1000)}</span>
        {typeof request === 'string' && <a href={linkTo('calls', { call: request })}>The call</a>}
      </div>
      <Facts
        of={[
          ['Intent', finding.intent],
          ['Observed', finding.observed ?? finding.blocker],
          ['Expected', finding.expected],
          ['Tried', finding.attempt],
          ['Phase', finding.phase],
          ['Host', [finding.dcc_type, finding.host_version].filter(Boolean).join(' ')],
          ['Adapter', [finding.adapter, finding.adapter_version].filter(Boolean).join(' ')],
          ['System', finding.os],
          ['Fingerprint', finding.fingerprint && <code>{finding.fingerprint}</code>],
          ['Id', <code>{finding.id}</code>],
        ]}
      />
      {repro?.steps && repro.steps.length > 0 && (
        <section>
          <h3>How it is repeated</h3>
          <ol class="steps">
            {repro.steps.map(each => (
              <li key={each}>{each}</li>
            ))}
          </ol>
        </section>
      )}
      {Object.keys(evidence).length > 0 && <Code label="Evidence" text={JSON.stringify(evidence, null, 2)} />}
      {finding.fingerprint && (
        <section class="stack">
          <h3>Next step</h3>
          <p>
            <a class="button" download={file} href={`data:application/json,${encodeURIComponent(fileOf(finding))}`}>
              Save {file}
            </a>
          </p>
          {!reviewed && (
            <p class="notice is-warn">
              Nobody has reviewed it yet: read it, take out what may not be public, then set{' '}
              <code>redaction_status.mode</code> to <code>public-safe</code>.
            </p>
          )}
          <div>
            <span class="muted">Diagnostics that anybody may read, for whoever looks at it</span>
            <Code label="Command that gathers diagnostics" text={bundleLine(file)} />
          </div>
          <div>
            <span class="muted">Whose it is</span>
            <Code label="Command that says whose it is" text={`svc-cli feedback route ${file} --json`} />
          </div>
          <div>
            <span class="muted">Plan of the issue; nothing is filed without --yes</span>
            <Code label="Command that plans the issue" text={`svc-cli feedback file ${file} --json`} />
          </div>
        </section>
      )}
    </Drawer>
  );
}

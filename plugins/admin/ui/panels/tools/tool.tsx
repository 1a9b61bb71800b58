/** One tool: its schema, and a form to try it. */
import { useState } from 'preact/hooks';
import { useQuery } from '../../parts/query.ts';
import { Badge, Code, Facts } from '../../parts/small.tsx';
import { Failed, Loading } from '../../parts/states.tsx';
import { ask } from '../../shell/api.ts';
import type { Schema } from './schema.ts';
import { TryIt } from './try-it.tsx';

interface Described {
  record: { skill_name: string | null; loaded: boolean; callable: boolean; instance_id: string; dcc_type: string };
  tool: {
    name: string;
    description: string;
    inputSchema?: Schema;
    outputSchema?: Schema;
    annotations?: { readOnlyHint?: boolean; destructiveHint?: boolean; idempotentHint?: boolean };
  };
}

export function ToolDetail({ slug }: { slug: string }) {
  const query = useQuery<Described>('/v1/describe', { tool_slug: slug, response_format: 'json' });
  const { data, error, reload } = query;
  if (!data) return error ? <Failed error={error} retry={reload} /> : <Loading what="the tool" />;
  const { record, tool } = data;
  const { readOnlyHint, destructiveHint } = tool.annotations ?? {};
  return (
    <>
      <div class="row">
        <Badge tone={record.callable ? 'ok' : 'warn'}>{record.callable ? 'callable' : 'not loaded'}</Badge>
        {readOnlyHint && <Badge tone="info">only reads</Badge>}
        {destructiveHint && <Badge tone="bad">may destroy</Badge>}
      </div>
      <p>{tool.description}</p>
      <Facts
        of={[
          ['Skill', record.skill_name],
          ['Host', `${record.dcc_type} ${record.instance_id}`],
        ]}
      />
      {record.skill_name && !record.callable && (
        <Load skill={record.skill_name} instance={record.instance_id} done={reload} />
      )}
      <TryIt
        key={slug}
        slug={slug}
        schema={tool.inputSchema ?? { type: 'object' }}
        careful={destructiveHint === true}
      />
      <section>
        <h3>Schema of the arguments</h3>
        <Code label="Schema of the arguments" text={JSON.stringify(tool.inputSchema ?? {}, null, 2)} />
      </section>
      {tool.outputSchema && (
        <section>
          <h3>Schema of the answer</h3>
          <Code label="Schema of the answer" text={JSON.stringify(tool.outputSchema, null, 2)} />
        </section>
      )}
    </>
  );
}

interface LoadProps {
  skill: string;
  instance: string;
  /** Takes it out of use again. */
  unload?: boolean;
  done(): void;
}

export function Load({ skill, instance, unload = false, done }: LoadProps) {
  const [state, set] = useState<{ busy: boolean; problem?: string }>({ busy: false });
  const word = unload ? 'Unload' : 'Load';
  const run = (): void => {
    set({ busy: true });
    const body = { skill_name: skill, instance_id: instance, response_format: 'json' };
    ask(unload ? '/v1/unload_skill' : '/v1/load_skill', { method: 'POST', body }).then(
      () => {
        set({ busy: false });
        done();
      },
      (error: Error) => set({ busy: false, problem: error.message }),
    );
  };
  return (
    <span class="row">
      <button type="button" class="small" disabled={state.busy} onClick={run} aria-label={`${word} ${skill}`}>
        {state.busy ? `${word}ing` : word}
      </button>
      {state.problem && (
        <span class="bad" role="alert">
          {state.problem}
        </span>
      )}
    </span>
  );
}

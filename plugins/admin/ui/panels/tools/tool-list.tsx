/** Tools by search, ranked as agents find them. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { FilterBar, InstanceChip, Search, Select } from '../../parts/filters.tsx';
import { number } from '../../parts/format.ts';
import { ListPanel } from '../../parts/list-panel.tsx';
import { useQuery } from '../../parts/query.ts';
import { useReadOn } from '../../parts/read-on.ts';
import { Badge } from '../../parts/small.tsx';
import { Empty } from '../../parts/states.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { ask } from '../../shell/api.ts';
import { found, instances } from '../../shell/live.ts';
import { linkTo, param, setParams } from '../../shell/url.ts';

export interface Hit {
  tool_slug: string;
  backend_tool: string;
  skill_name: string | null;
  dcc_type: string;
  instance_id: string;
  summary: string;
  loaded: boolean;
  callable: boolean;
  match_reasons?: string[];
}

const columns: readonly Column<Hit>[] = [
  { title: 'Tool', width: 'minmax(110px, 1.4fr)', mono: true, cell: row => row.backend_tool },
  { title: 'What it does', width: 'minmax(100px, 2.6fr)', wide: true, cell: row => row.summary },
  { title: 'Skill', width: 'minmax(80px, 1fr)', wide: true, cell: row => row.skill_name ?? '–' },
  { title: 'Host', width: 'minmax(100px, 150px)', cell: row => `${row.dcc_type} ${row.instance_id.slice(0, 8)}` },
  {
    title: 'State',
    width: '84px',
    cell: row => <Badge tone={row.callable ? 'ok' : 'none'}>{row.callable ? 'callable' : 'not loaded'}</Badge>,
  },
];

interface Hits {
  hits: Hit[];
}

/** As many as one answer has at most. */
const pageHits = 100;

/** A search waits for the end of a word. */
const pauseMs = 150;

export function ToolList({ opened, detail }: { opened: string; detail: ComponentChildren }) {
  const [q, instance, dcc] = [param('q'), param('instance'), param('dcc')];
  const [asked, setAsked] = useState(q);
  useEffect(() => {
    const timer = setTimeout(() => setAsked(q), pauseMs);
    return () => clearTimeout(timer);
  }, [q]);
  const search = {
    ...{ query: asked, limit: pageHits, response_format: 'json' },
    ...(instance && { instance_id: instance }),
    ...(dcc && { dcc_type: dcc }),
  };
  const query = useQuery<Hits>('/v1/search', search);
  const {
    rows = [],
    isAll,
    loadMore,
  } = useReadOn<Hits, Hit, number>({
    ...{ list: JSON.stringify(search), first: query },
    rowsOf: ({ hits }) => hits,
    nextOf: ({ hits }, count) => (hits.length < pageHits ? undefined : count),
    read: offset => ask<Hits>('/v1/search', { method: 'POST', body: { ...search, offset } }),
  });
  const known = useRef(found.value);
  useEffect(() => {
    if (known.current !== found.value) query.reload();
    known.current = found.value;
  }, [found.value]);
  const types = [...new Set([...instances.value.values()].map(each => each.dcc_type))].sort();
  return (
    <>
      <FilterBar known={query.data !== undefined} note={`${number(rows.length)} listed${isAll ? '' : ', more below'}`}>
        <Search label="Search tools as an agent would" />
        <Select
          name="dcc"
          label="Host type"
          options={{ '': 'All hosts', ...Object.fromEntries(types.map(each => [each, each])) }}
        />
        <InstanceChip />
      </FilterBar>
      <ListPanel
        what="tools"
        query={query}
        isEmpty={rows.length === 0}
        empty={
          <Empty title={asked === '' ? 'No instance has a tool' : 'No tool is found so'}>
            {asked === '' ? (
              <a href={linkTo('instances')}>See which instances there are</a>
            ) : (
              'Say it in other words, as you would to an agent.'
            )}
          </Empty>
        }
        detail={detail}
      >
        <Table
          label="Tools"
          columns={columns}
          rows={rows}
          keyOf={each => each.tool_slug}
          selected={opened}
          onOpen={row => setParams({ tool: row.tool_slug })}
          onEnd={loadMore}
        />
      </ListPanel>
    </>
  );
}

/** Tools and skills: what can be called, what could be loaded, what was refused. */
import { Drawer } from '../../parts/drawer.tsx';
import type { Panel } from '../../shell/panel.ts';
import { param, setParams } from '../../shell/url.ts';
import { RefusedList } from './refused.tsx';
import { SkillList } from './skills.tsx';
import { ToolDetail } from './tool.tsx';
import { ToolList } from './tool-list.tsx';

const tabs = { '': 'Tools', skills: 'Skills', refused: 'Refused packages' } as const;

function View() {
  const tab = param('tab');
  const tool = param('tool');
  return (
    <>
      <div class="bar">
        <div class="row" role="group" aria-label="What is listed">
          {Object.entries(tabs).map(([name, title]) => (
            <button
              key={name}
              type="button"
              class="toggle"
              aria-pressed={tab === name}
              onClick={() => setParams({ tab: name, tool: '', q: '' })}
            >
              {title}
            </button>
          ))}
        </div>
      </div>
      {tab === 'skills' ? (
        <SkillList />
      ) : tab === 'refused' ? (
        <RefusedList />
      ) : (
        <ToolList opened={tool} detail={detailOf(tool)} />
      )}
    </>
  );
}

const detailOf = (tool: string) =>
  tool && (
    <Drawer key={tool} label={`Tool ${tool}`} title={<code>{tool}</code>} onClose={() => setParams({ tool: '' })}>
      <ToolDetail slug={tool} />
    </Drawer>
  );

export const tools: Panel = {
  ...{ name: 'tools', title: 'Tools and skills', group: 'Work', View },
  icon: 'M9.5 2a3.5 3.5 0 0 0-3.3 4.6L2 10.8V14h3.2l4.2-4.2A3.5 3.5 0 1 0 9.5 2Z',
  about: 'What can be called, what could be loaded, what was refused.',
};

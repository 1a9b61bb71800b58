/** A skill that somebody accepted, and that may have been kept away until then, is read again. */
import type { Bus, Disposer, Logger } from '../../../kernel/index.ts';
import type {} from '../../policy/approvals/api.ts';
import type { ToolsService } from '../../tools/api.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { Loader } from './loader.ts';

export interface AcceptedDeps {
  bus: Pick<Bus, 'on'>;
  catalog: Pick<Catalog, 'refreshNamed'>;
  loader: Pick<Loader, 'isLoaded' | 'reload'>;
  tools: Pick<ToolsService, 'changed'>;
  log: Pick<Logger, 'error'>;
}

export function followAccepted({ bus, catalog, loader, tools, log }: AcceptedDeps): Disposer {
  const lookAgain = async (name: string): Promise<void> => {
    await catalog.refreshNamed(name);
    if (loader.isLoaded(name)) await loader.reload(name);
    tools.changed();
  };
  return bus.on('approval.accepted', ({ attributes: { kind, name } }) => {
    if (kind !== 'skill') return;
    lookAgain(name).catch((err: unknown) => log.error({ err }, 'a skill that was accepted cannot be read'));
  });
}

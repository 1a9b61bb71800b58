/** The settings that a server would start with here, and the skills that it would offer. Loaded by who asks for them. */
import { isSvcError, messageOf } from '../../../kernel/light.ts';
import { serverSettings } from '../../../plugins/index.ts';
import { registryDirectory } from '../../../plugins/instances/registry/api.ts';
import { createApprovalStore, pendingIn } from '../../../plugins/policy/approvals/api.ts';
import { exposedPlaces, listSkillPackages } from '../../../plugins/skills/api.ts';
import { commandConfig } from '../../flags.ts';
import { type Check, failed, ok, quoted, warning } from './check.ts';

export type ServerSettings = Awaited<ReturnType<typeof settingsOf>>;

const settingsOf = async (file: string | undefined) =>
  commandConfig(file === undefined ? {} : { config: file }, process.env, await serverSettings());

/** From the environment and a configuration file; a setting that no server would start with is a finding. */
export async function settingsCheck(file: string | undefined): Promise<{ settings?: ServerSettings; checks: Check[] }> {
  try {
    const settings = await settingsOf(file);
    return { settings, checks: [ok('settings', file === undefined ? 'of the environment' : `of ${file}`)] };
  } catch (error) {
    const source = isSvcError(error) ? String(error.details.source) : '';
    const next = source.startsWith('environment') ? 'env | grep ^SVC_' : `cat ${quoted(file ?? source)}`;
    return { checks: [failed('settings', messageOf(error), next)] };
  }
}

/** Skill directories that others may write, those that servers of this registry have seen among them; what waits to be accepted. */
async function trustChecks(settings: ServerSettings, directories: readonly string[]): Promise<Check[]> {
  const store = createApprovalStore(registryDirectory(settings.registry_dir));
  const seen = (await store.list()).filter(each => each.kind === 'skill').map(each => each.key);
  const exposed = await exposedPlaces([...directories, ...seen]);
  const reasons = new Map(exposed.map(({ path, reason }) => [path, reason]));
  const checks = [...reasons].map(([path, reason]) =>
    warning('skills', `${path}: ${reason}, and skills of it are run and read`, `ls -ld ${quoted(path)}`),
  );
  const waiting = await pendingIn(store, settings.tool_approvals === 'strict');
  if (waiting.length === 0) return checks;
  const names = waiting.map(each => each.name).join(', ');
  const message = `what ${names} says of tools is not what was approved`;
  return [...checks, warning('approvals', message, 'svc-server skills accept')];
}

/** Packages that discovery would refuse. Manifests are read; no code of a skill runs. */
export async function skillChecks(settings: ServerSettings, file: string | undefined): Promise<Check[]> {
  const { skills, skipped, problems, directories } = await listSkillPackages(settings, process.env);
  const config = file === undefined ? '' : ` --config ${quoted(file)}`;
  const checks = [
    ...problems.map(each => warning('skills', `${each.path}: ${each.message}`, `ls -ld ${quoted(each.path)}`)),
    ...skipped.map(each =>
      warning(
        'skills',
        `${each.directory_name} is refused: ${each.message} [${each.reason_code}] ${each.suggested_fix}`,
        `svc-server skills list --status skipped${config}`,
      ),
    ),
  ];
  for (const { name, status } of skills.filter(each => each.status === 'pending_deps')) {
    const message = `${name} needs skills that are not here`;
    checks.push(warning('skills', `${message} (${status})`, `svc-server skills list --status pending_deps${config}`));
  }
  checks.push(...(await trustChecks(settings, directories)));
  return checks.length > 0 ? checks : [ok('skills', `${skills.length} packages, none refused`)];
}

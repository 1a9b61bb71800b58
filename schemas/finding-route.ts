/** Who a finding is for: by the rules of its phase and what is told of its skill or package, and never by a guess. Pure. */
import type { Finding } from './finding.ts';
import { coreRepository, isCoreKind, plainRepository } from './finding-rules.ts';
import { isObject, text } from './loose.ts';

export interface Route {
  /** `owner/name` */
  repo: string;
  issues_url: string;
  rationale: 'adapter_phase' | 'core_error_kind' | 'skill_metadata';
}

/** A package of a catalogue, as far as routes are concerned. */
export interface RoutedPackage {
  readonly name: string;
  readonly url?: string | undefined;
  readonly issues_url?: string | undefined;
}

/** Why a finding has no route. */
export class NoRoute extends Error {
  /** More than one could be meant, or what is told disagrees with itself. */
  readonly conflict: boolean;

  constructor(reason: string, conflict = false) {
    super(reason);
    this.conflict = conflict;
  }
}

/** Throws `NoRoute`. */
export function routeOf(
  { phase, adapter, evidence }: Pick<Finding, 'phase' | 'adapter' | 'evidence'>,
  packages: readonly RoutedPackage[],
): Route {
  if (isCoreKind(text(evidence.error_kind))) {
    return { ...ofPackage(coreRepository.split('/')[1] ?? '', packages), rationale: 'core_error_kind' };
  }
  if (phase === 'skill') return { ...ofSkill(evidence.routing), rationale: 'skill_metadata' };
  if (phase !== 'other') return { ...ofPackage(adapter, packages), rationale: 'adapter_phase' };
  throw new NoRoute(
    'phase "other" has an owner only where evidence.error_kind is one of the gateway, client or protocol',
  );
}

type Owner = Omit<Route, 'rationale'>;

function ofPackage(name: string, packages: readonly RoutedPackage[]): Owner {
  const wanted = name.toLowerCase();
  const [found, another] = packages.filter(each => each.name.toLowerCase() === wanted);
  if (!found) throw new NoRoute(`the catalogue has no package "${name}"`);
  if (another) throw new NoRoute(`the catalogue has more than one package "${name}"`, true);
  if (found.issues_url === undefined) throw new NoRoute(`the package "${name}" has no issues_url in the catalogue`);
  const owner = ofIssues(found.issues_url);
  const { url } = found;
  if (url !== undefined && /^https?:\/\/github\.com\//i.test(url) && !isSame(url, owner.repo)) {
    throw new NoRoute(`url and issues_url of the package "${name}" are of different repositories`, true);
  }
  return owner;
}

const linkNames = ['source', 'skill_name', 'repo', 'issues_url'];

function ofSkill(routing: unknown): Owner {
  if (!isObject(routing)) {
    throw new NoRoute('phase "skill" needs evidence.routing, from the links of the skill: it is never the adapter\'s');
  }
  const { source, skill_name, repo, issues_url } = routing;
  const strange = Object.keys(routing).find(each => !linkNames.includes(each));
  if (strange !== undefined) throw new NoRoute(`"${strange}" is not a known field of evidence.routing`);
  if (source !== 'skill_metadata') throw new NoRoute('evidence.routing.source must be "skill_metadata"');
  if (!text(skill_name)?.trim()) throw new NoRoute('evidence.routing.skill_name is required');
  const [given, issues] = [text(repo), text(issues_url)];
  if (given === undefined || issues === undefined) {
    throw new NoRoute('evidence.routing.repo and evidence.routing.issues_url are required');
  }
  if (!/^(?:https:\/\/github\.com\/)?[\w.-]+\/[\w.-]+$/i.test(given)) {
    throw new NoRoute('evidence.routing.repo must be owner/name, or its address on https://github.com');
  }
  const owner = ofIssues(issues);
  if (!isSame(given, owner.repo)) {
    throw new NoRoute('evidence.routing.repo and evidence.routing.issues_url are of different repositories', true);
  }
  return owner;
}

const isSame = (one: string, other: string): boolean => plainRepository(one) === plainRepository(other);

/** The address of a repository's issues, in the one form that it has. */
function ofIssues(address: string): Owner {
  const [, repo = ''] = /^https:\/\/github\.com\/([\w.-]{1,100}\/[\w.-]{1,100})\/issues\/?$/.exec(address) ?? [];
  if (repo === '' || repo.split('/').some(each => each === '.' || each === '..')) {
    throw new NoRoute(`issues_url must be https://github.com/<owner>/<name>/issues, and is "${address.slice(0, 200)}"`);
  }
  return { repo, issues_url: `https://github.com/${repo}/issues` };
}

/** What a filing goes by: the finding, whose it is, and the catalogue that says so, as they were at one moment. */
import type { Finding } from '../../../schemas/finding.ts';
import { fingerprintOf } from '../../../schemas/finding-rules.ts';
import { cliErrors } from '../../errors.ts';
import { catalogFlag, readCatalog, readReviewedFinding, routeFinding } from '../finding-file.ts';

/** Everything that an authorisation names; it holds for exactly this. */
export interface Binding {
  finding_path: string;
  finding_sha256: string;
  fingerprint: string;
  repo: string;
  catalog_path: string;
  catalog_sha256: string;
}

export interface Snapshot {
  finding: Finding;
  issues_url: string;
  binding: Binding;
  /** `--catalog <path>`, where it is not the bundled one. */
  catalog: readonly string[];
}

/** In the order in which the command line has them. */
export const bindingNames = [
  ...['finding_path', 'finding_sha256', 'fingerprint', 'repo', 'catalog_path', 'catalog_sha256'],
] as readonly (keyof Binding)[];

/** Rejects with what is wrong with the files, or with SVC_CLI_FINGERPRINT_FOREIGN. */
export async function takeSnapshot(file: string, catalogFile: string | undefined): Promise<Snapshot> {
  const { path, sha256, finding } = await readReviewedFinding(file);
  const catalog = await readCatalog(catalogFile);
  const { repo, issues_url } = routeFinding(finding, catalog.packages);
  const fingerprint = fingerprintOf(finding, repo);
  if (finding.fingerprint !== fingerprint) throw cliErrors.FINGERPRINT_FOREIGN({ file, repo, fingerprint });
  return {
    finding,
    issues_url,
    binding: {
      ...{ finding_path: path, finding_sha256: sha256, fingerprint, repo },
      ...{ catalog_path: catalog.path, catalog_sha256: catalog.sha256 },
    },
    catalog: catalogFlag(catalog),
  };
}

/** Throws SVC_CLI_FILING_DRIFT for the first thing that is another than was authorised. */
export function assertBound(found: Binding, authorised: Binding): void {
  for (const name of bindingNames) {
    const [was, is] = [authorised[name], found[name]];
    if (was !== is) throw cliErrors.FILING_DRIFT({ what: name, was, is });
  }
}

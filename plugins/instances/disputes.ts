/**
 * Claims that contradict each other. An id is no secret: whoever hands out that of an instance of this machine, whose
 * process is known to live, under another address gets none of its calls.
 */
import { sameListener } from './address.ts';
import type { InstanceRow, InstanceSource } from './api.ts';
import type { Assertion } from './assertions.ts';

/** Disputes that were told and are not told again. */
const remembered = 1000;

/** Whether a claim gives an instance whose process lives on this machine an address that is not its own. */
export const isImpostor = ({ source, row }: Assertion, file: Assertion | undefined): boolean =>
  source !== 'file' && file?.proven === true && !file.displaced && !sameListener(row, file.row);

const addressOf = ({ host, port, metadata }: InstanceRow): string => metadata.mcp_url || `${host}:${port}`;

/** Tells each dispute once. */
export function createDisputes(tell: (about: string, reason: string) => void) {
  const told = new Set<string>();
  const dispute = (source: InstanceSource, row: InstanceRow, reason: string): void => {
    const key = `${source} ${row.instance_id} ${addressOf(row)} ${reason}`;
    if (told.has(key)) return;
    if (told.size >= remembered) told.clear();
    told.add(key);
    tell(`${source}:${row.instance_id}`, `${addressOf(row)} is not used: ${reason}`);
  };
  return {
    ownAddress: (source: InstanceSource, row: InstanceRow): void =>
      dispute(source, row, 'its address is the gateway itself'),
    taken: (source: InstanceSource, row: InstanceRow, by: Assertion): void =>
      dispute(source, row, `the id is that of ${addressOf(by.row)}, which ${by.claimant ?? by.source} gave first`),
    /** What the claims about one instance say against each other; `believed` is the one that is used. */
    compare(claims: readonly Assertion[], believed: Assertion | undefined): void {
      if (!believed) return;
      for (const each of claims) {
        if (each === believed || each.source === 'file' || sameListener(each.row, believed.row)) continue;
        const { source, row } = believed;
        const why =
          source === 'file'
            ? `the id is that of an instance of this machine, whose process lives at ${row.host}:${row.port}`
            : `the source ${source}, which goes first, gives the id the address ${addressOf(row)}`;
        dispute(each.source, each.row, why);
      }
    },
  };
}

/** Claims that contradict each other: the specification's precedence decides, and what it decides against is told. */
import { sameListener } from './address.ts';
import type { InstanceRow, InstanceSource } from './api.ts';
import type { Assertion } from './assertions.ts';

/** Disputes that were told and are not told again. */
const remembered = 1000;

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
        if (each === believed || sameListener(each.row, believed.row)) continue;
        // What a file says of a process that nobody sees is no news against another source.
        if (each.source === 'file' && (!each.proven || each.displaced)) continue;
        const { source, row } = believed;
        dispute(
          each.source,
          each.row,
          `the source ${source}, which goes first, gives the id the address ${addressOf(row)}`,
        );
      }
    },
  };
}

/** Which ids were met: ours, 16 bytes each, in one table that is used again, so that a long listing leaves nothing to collect. */

const words = 4;
const firstSlots = 1 << 12;
/** Of the one form that we give them. */
const own = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export function createMetIds() {
  let table = new Uint32Array(firstSlots * words);
  let inTable = 0;
  const others = new Set<string>();
  const bytes = Buffer.alloc(words * 4);
  const read = new Uint32Array(bytes.buffer, bytes.byteOffset, words);
  const one: number[] = [0, 0, 0, 0];

  /** Where it stands, or where it would. */
  const slotOf = ([a = 0, b = 0, c = 0, d = 0]: readonly number[], into: Uint32Array): number => {
    const mask = into.length / words - 1;
    const mixed =
      Math.imul(a ^ Math.imul(b, 0x9e3779b1), 0x85ebca77) ^ Math.imul(c ^ Math.imul(d, 0xc2b2ae3d), 0x27d4eb2f);
    for (let slot = (mixed ^ (mixed >>> 15)) & mask; ; slot = (slot + 1) & mask) {
      const at = slot * words;
      const [w, x, y, z] = [into[at], into[at + 1], into[at + 2], into[at + 3]];
      if ((w === a && x === b && y === c && z === d) || (w === 0 && x === 0 && y === 0 && z === 0)) return at;
    }
  };
  const grow = (): void => {
    const larger = new Uint32Array(table.length * 2);
    for (let at = 0; at < table.length; at += words) {
      const each = table.subarray(at, at + words);
      if (each.some(word => word !== 0)) larger.set(each, slotOf([...each], larger));
    }
    table = larger;
  };

  return {
    /** False for one that was met before. */
    add(id: string): boolean {
      if (!own.test(id)) return others.size < others.add(id).size;
      bytes.write(id.replaceAll('-', ''), 'hex');
      for (let index = 0; index < words; index += 1) one[index] = read[index] ?? 0;
      // Nothing but zeros is an empty place.
      if (one.every(word => word === 0)) return others.size < others.add(id).size;
      const at = slotOf(one, table);
      if (one.every((word, index) => table[at + index] === word)) return false;
      table.set(one, at);
      inTable += 1;
      if (inTable * 2 * words > table.length) grow();
      return true;
    },
    get size(): number {
      return inTable + others.size;
    },
    clear(): void {
      table.fill(0);
      inTable = 0;
      others.clear();
    },
  };
}

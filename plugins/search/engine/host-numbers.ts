/** The host type of each record as a small number in one array: a search over many records asks without touching them. */

export function createHostNumbers() {
  const numbers = new Map<string, number>();
  const free: number[] = [];
  let ofRecord = new Int32Array(64);

  return {
    put(id: number, host: string): void {
      if (id >= ofRecord.length) {
        const grown = new Int32Array(Math.ceil(id * 1.5));
        grown.set(ofRecord);
        ofRecord = grown;
      }
      const number = numbers.get(host) ?? free.pop() ?? numbers.size;
      numbers.set(host, number);
      ofRecord[id] = number;
    },
    /** Gives the number of a host type that no record has any more to another. */
    forget(host: string): void {
      const number = numbers.get(host);
      if (number === undefined) return;
      numbers.delete(host);
      free.push(number);
    },
    /** A test by number of the record; valid until the next change. */
    test(hosts: ReadonlySet<string>): (id: number) => boolean {
      const wanted = new Uint8Array(numbers.size + free.length);
      for (const host of hosts) {
        const number = numbers.get(host);
        if (number !== undefined) wanted[number] = 1;
      }
      return id => wanted[ofRecord[id] as number] === 1;
    },
  };
}

/** Zip archives, which add-ons and wheels are: files by their paths, compressed, with the rights of programs. Pure. */
import { crc32, deflateRawSync } from 'node:zlib';

export interface ZipFile {
  /** With slashes. */
  path: string;
  bytes: Buffer;
  program?: boolean;
}

/** 1 January 1980, the first day that a zip knows: the same files make the same archive. */
const firstDay = 0x21;
const compressed = 8;
/** Names are UTF-8. */
const flags = 0x0800;
const unix = 3;

export function zip(files: readonly ZipFile[]): Buffer {
  const parts: Buffer[] = [];
  const entries: Buffer[] = [];
  let offset = 0;
  for (const { path, bytes, program } of files) {
    const name = Buffer.from(path);
    const body = deflateRawSync(bytes);
    const shared = Buffer.alloc(26);
    shared.writeUInt16LE(20, 0);
    shared.writeUInt16LE(flags, 2);
    shared.writeUInt16LE(compressed, 4);
    shared.writeUInt16LE(firstDay, 8);
    shared.writeUInt32LE(crc32(bytes), 10);
    shared.writeUInt32LE(body.length, 14);
    shared.writeUInt32LE(bytes.length, 18);
    shared.writeUInt16LE(name.length, 22);
    parts.push(Buffer.from('PK\x03\x04'), shared, name, body);
    const entry = Buffer.alloc(16);
    entry.writeUInt32LE((0o100000 | (program ? 0o755 : 0o644)) * 0x10000, 6);
    entry.writeUInt32LE(offset, 10);
    entries.push(Buffer.from('PK\x01\x02'), Buffer.from([20, unix]), shared, entry.subarray(0, 14), name);
    offset += 4 + shared.length + name.length + body.length;
  }
  const directory = Buffer.concat(entries);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(files.length, 4);
  end.writeUInt16LE(files.length, 6);
  end.writeUInt32LE(directory.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, directory, Buffer.from('PK\x05\x06'), end]);
}

/**
 * Many connections over one WebSocket connection, each with a window of its own: who reads slowly holds up nobody else,
 * and no more is kept for them than the window.
 *
 * A message is a frame: a byte that says what it is, four of the connection's id, and the rest. `ws` keeps the frames
 * apart, so there is nothing to parse but those five bytes. HTTP/2, by Node's own library, did the same at more cost; but
 * over a stream that is no socket it ends the process with a failed assertion of Node's when the connection is lost while
 * it writes. The multiplexers of the registry give the window back before anybody has read, or belong to a whole stack of
 * peers.
 */
import { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';

const frame = {
  /** Opens a connection. */
  open: 1,
  /** It is open at the other end. */
  accept: 2,
  data: 3,
  /** So many bytes more may be sent: four bytes. */
  credit: 4,
  /** No more data from here. */
  end: 5,
  /** It is over, both ways; also for one that could not be opened. */
  reset: 6,
} as const;
type FrameType = (typeof frame)[keyof typeof frame];

const headBytes = 5;
/** What may be under way to who does not read. */
const windowBytes = 256 * 1024;
const pieceBytes = 64 * 1024;
/** Connections at a time. */
export const mostChannels = 256;

interface Carrier {
  send(type: FrameType, id: number, payload?: Buffer, sent?: (error?: Error | null) => void): void;
  forget(id: number): void;
}

interface Held {
  bytes: Buffer;
  done: (error?: Error | null) => void;
}

/** One connection. `accepted` is emitted once the other end has it. */
export class Channel extends Duplex {
  readonly id: number;
  readonly #carrier: Carrier;
  #sendable = windowBytes;
  #receivable = windowBytes;
  /** Bytes that were read, and not told yet. */
  #owed = 0;
  #held: Held | undefined;
  #endCame = false;
  #resetCame = false;

  constructor(id: number, carrier: Carrier) {
    super({ allowHalfOpen: true, autoDestroy: true, readableHighWaterMark: pieceBytes });
    this.id = id;
    this.#carrier = carrier;
  }

  /** Tells the other end that it is open. */
  accept(): void {
    this.#carrier.send(frame.accept, this.id);
  }

  /** False when more comes than was allowed. */
  receive(type: number, payload: Buffer): boolean {
    if (type === frame.accept) this.emit('accepted');
    else if (type === frame.data) return this.#keep(payload);
    else if (type === frame.credit && payload.length === 4) {
      this.#sendable += payload.readUInt32BE();
      this.#flush();
    } else if (type === frame.end) {
      this.#endCame = true;
      this.push(null);
    } else if (type === frame.reset) {
      this.#resetCame = true;
      this.destroy(new Error('it was cut off at the other end'));
    } else return false;
    return true;
  }

  #keep(payload: Buffer): boolean {
    this.#receivable -= payload.length;
    if (this.#receivable < 0 || this.#endCame) return false;
    this.#owed += payload.length;
    if (this.push(payload)) this.#repay();
    return true;
  }

  override _read(): void {
    this.#repay();
  }

  #repay(): void {
    // In halves: not a frame for every read.
    if (this.#owed < windowBytes / 2 || this.destroyed) return;
    const payload = Buffer.allocUnsafe(4);
    payload.writeUInt32BE(this.#owed);
    this.#receivable += this.#owed;
    this.#owed = 0;
    this.#carrier.send(frame.credit, this.id, payload);
  }

  override _write(bytes: Buffer, _encoding: string, done: Held['done']): void {
    this.#held = { bytes, done };
    this.#flush();
  }

  override _writev(chunks: { chunk: Buffer }[], done: Held['done']): void {
    this._write(Buffer.concat(chunks.map(each => each.chunk)), 'buffer', done);
  }

  /** Sends what the window allows; who writes goes on when the last of it has left. */
  #flush(): void {
    while (this.#held && this.#sendable > 0) {
      const { bytes, done } = this.#held;
      const piece = bytes.subarray(0, Math.min(this.#sendable, pieceBytes));
      this.#sendable -= piece.length;
      this.#held = piece.length < bytes.length ? { bytes: bytes.subarray(piece.length), done } : undefined;
      this.#carrier.send(frame.data, this.id, piece, this.#held ? undefined : done);
    }
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#carrier.send(frame.end, this.id, undefined, done);
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    const { readableEnded, writableFinished } = this;
    const whole = (readableEnded || this.#endCame) && writableFinished;
    if (!whole && !this.#resetCame) this.#carrier.send(frame.reset, this.id);
    this.#carrier.forget(this.id);
    this.#held?.done(error);
    this.#held = undefined;
    done(error);
  }
}

export interface MuxParts {
  socket: WebSocket;
  /** A connection that the other end opens; without it the other end opens none. */
  opened?: (channel: Channel) => void;
  /** A message as text, and whether it is one that may be said; without it there are none. */
  said?: (text: string) => boolean;
}

/** Takes over the messages of a WebSocket connection; its end is the end of all. */
export function createMux({ socket, opened, said }: MuxParts) {
  const channels = new Map<number, Channel>();
  let last = 0;

  const carrier: Carrier = {
    send(type, id, payload, sent) {
      const message = Buffer.allocUnsafe(headBytes + (payload?.length ?? 0));
      message[0] = type;
      message.writeUInt32BE(id, 1);
      payload?.copy(message, headBytes);
      if (socket.readyState === socket.OPEN) socket.send(message, { binary: true }, sent);
      else sent?.(new Error('the tunnel is closed'));
    },
    forget: id => void channels.delete(id),
  };

  const add = (id: number): Channel => {
    const channel = new Channel(id, carrier);
    // Whoever uses it is told by its end.
    channel.on('error', () => undefined);
    channels.set(id, channel);
    return channel;
  };

  /** False for what breaks the rules. */
  const take = (message: Buffer): boolean => {
    if (message.length < headBytes) return false;
    const [type, id] = [message[0], message.readUInt32BE(1)];
    if (type === frame.open) {
      if (!opened || id <= last) return false;
      last = id;
      if (channels.size >= mostChannels) carrier.send(frame.reset, id);
      else opened(add(id));
      return true;
    }
    // One that is closed here may not be closed there yet.
    return channels.get(id)?.receive(type as number, message.subarray(headBytes)) ?? id <= last;
  };

  socket.on('message', (data, isBinary) => {
    const right = isBinary ? take(data as Buffer) : said?.(data.toString());
    if (!right) socket.close(1002, 'a frame breaks the rules');
  });
  socket.once('close', () => {
    for (const channel of channels.values()) channel.destroy(new Error('the tunnel is closed'));
  });

  return {
    /** Opens a connection; it fails when there are too many, or the other end has none. */
    open(): Channel {
      last += 1;
      const channel = add(last);
      carrier.send(frame.open, last);
      return channel;
    },
    get size(): number {
      return channels.size;
    },
  };
}

/** A channel of messages to another thread or process, whatever carries it. */

/** The least a transport must offer; `onClose` fires once when the other side is gone. */
export interface Channel {
  post(message: unknown): void;
  onMessage(receive: (message: unknown) => void): void;
  onClose(closed: (reason: string) => void): void;
}

interface Endpoint {
  postMessage(message: unknown): void;
  on(event: 'message', receive: (message: unknown) => void): unknown;
}

/** The channel over either end of a worker. */
export function channelOf(endpoint: Endpoint, onClose: Channel['onClose']): Channel {
  return {
    post: message => endpoint.postMessage(message),
    onMessage: receive => void endpoint.on('message', receive),
    onClose,
  };
}

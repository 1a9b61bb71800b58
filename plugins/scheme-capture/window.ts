/** `capture://current_window`: there once a backend has proved that it works. */
import type { ResourceProducer } from '../resources/api.ts';
import type { CaptureBackend } from './x11.ts';

const uri = 'capture://current_window';
const mimeType = 'image/png';

export interface WindowCapture {
  producer: ResourceProducer;
  /** Takes one picture with what `find` gives; resolves with whether there is a backend that works. Never rejects. */
  probe(find: () => Promise<CaptureBackend | undefined>): Promise<boolean>;
}

export function createWindowCapture(): WindowCapture {
  let backend: CaptureBackend | undefined;
  let taking: Promise<Buffer> | undefined;

  /** Those who ask while a picture is being taken share it, so that readers cannot pile up programs. */
  const take = (from: CaptureBackend): Promise<Buffer> => {
    taking ??= from.capture().finally(() => {
      taking = undefined;
    });
    return taking;
  };

  return {
    async probe(find) {
      try {
        const found = await find();
        await found?.capture();
        backend = found;
      } catch {
        backend = undefined;
      }
      return backend !== undefined;
    },
    producer: {
      scheme: 'capture',
      enabled: () => backend !== undefined,
      disabledReason: () => 'no window of this host can be captured here',
      list: () => [{ uri, name: 'Current window', description: 'Picture of the active host window', mimeType }],
      async read(asked) {
        if (asked !== uri || !backend) return undefined;
        return [{ uri, mimeType, blob: (await take(backend)).toString('base64') }];
      },
    },
  };
}

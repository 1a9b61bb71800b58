/** `capture://current_window`: there as long as a backend proves that it works. */
import type { ResourceProducer } from '../../api.ts';
import type { CaptureBackend } from './x11.ts';

const uri = 'capture://current_window';
const mimeType = 'image/png';

export interface WindowCaptureDeps {
  find(): Promise<CaptureBackend | undefined>;
  /** Called when a backend has begun or ceased to work. */
  onChange(works: boolean): void;
  /** Least ms from one look to the next that a request brings about. */
  restMs: number;
}

/** A display comes and goes: after the first look, a request finds out anew now and then, and so does a picture that fails. */
export function createWindowCapture({ find, onChange, restMs }: WindowCaptureDeps) {
  let backend: CaptureBackend | undefined;
  let taking: Promise<Buffer> | undefined;
  let looking: Promise<void> | undefined;
  /** Never before the first look. */
  let lookAgainAt = Number.POSITIVE_INFINITY;

  /** Those who ask while a picture is being taken share it, so that readers cannot pile up programs. */
  const take = (from: CaptureBackend): Promise<Buffer> => {
    taking ??= from.capture().finally(() => {
      taking = undefined;
    });
    return taking;
  };

  const proven = async (): Promise<CaptureBackend | undefined> => {
    try {
      const found = await find();
      await found?.capture();
      return found;
    } catch {
      return undefined;
    }
  };

  const lookOnce = async (): Promise<void> => {
    const before = backend;
    backend = await proven();
    lookAgainAt = performance.now() + restMs;
    looking = undefined;
    if ((backend === undefined) !== (before === undefined)) onChange(backend !== undefined);
  };

  /** Takes one picture with what `find` gives, to see whether there is a backend that works. Never rejects. */
  const look = (): Promise<void> => {
    looking ??= lookOnce();
    return looking;
  };

  return {
    look,
    producer: {
      scheme: 'capture',
      // Asked for every list and read: they see what the last look found, and do not wait for the next.
      enabled() {
        if (performance.now() > lookAgainAt) void look();
        return backend !== undefined;
      },
      disabledReason: () => 'no window of this host can be captured here',
      list: () => [{ uri, name: 'Current window', description: 'Picture of the active host window', mimeType }],
      knows: (asked: string) => asked === uri,
      async read(asked: string) {
        if (asked !== uri || !backend) return undefined;
        try {
          return [{ uri, mimeType, blob: (await take(backend)).toString('base64') }];
        } catch (error) {
          void look();
          throw error;
        }
      },
    } satisfies ResourceProducer,
  };
}

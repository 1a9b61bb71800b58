/** The X11 backend: ImageMagick's `import`, told the active window by `xdotool` or `xprop`, else the root window. */
import { type Environment, messageOf } from '../../../../kernel/index.ts';
import { captureErrors } from './errors.ts';
import { type Programs, TooMuchOutput } from './programs.ts';

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Pixels of the longer side that a picture is reduced to when it is too large as it is. */
const reducedSide = 1600;
const seen = /^(?:PATH|HOME|DISPLAY|XAUTHORITY|LANG|LC_\w+|TMPDIR|MAGICK_\w+)$/;

export interface CaptureBackend {
  /** A PNG of the active window. Rejects with SVC_CAPTURE_FAILED. */
  capture(): Promise<Buffer>;
}

export interface X11Options {
  deadlineMs: number;
  /** Most bytes of a PNG. */
  maxBytes: number;
}

/** What X programs need of the environment, and nothing else of it. */
export const displayEnvironment = (env: Environment): Environment =>
  Object.fromEntries(Object.entries(env).filter(([name]) => seen.test(name)));

/** The backend when the programs are there; whether the display answers only a capture can tell. */
export async function createX11Backend(
  programs: Programs,
  { deadlineMs, maxBytes }: X11Options,
): Promise<CaptureBackend | undefined> {
  const [own, magick, xdotool, xprop] = await Promise.all(
    ['import', 'magick', 'xdotool', 'xprop'].map(name => programs.find(name)),
  );
  const importer = own ?? magick;
  if (importer === undefined) return undefined;
  const before = own === undefined ? ['import'] : [];

  const answer = async (program: string | undefined, args: readonly string[]): Promise<string> =>
    program === undefined
      ? ''
      : (await programs.run(program, args, { deadlineMs, maxBytes: 65_536 }).catch(() => Buffer.alloc(0))).toString();

  /** The id of the active window; `root` where no window manager names one. */
  const activeWindow = async (): Promise<string> => {
    const id = /^\s*(\d+)\s*$/.exec(await answer(xdotool, ['getactivewindow']))?.[1];
    if (id !== undefined && id !== '0') return id;
    const property = await answer(xprop, ['-root', '_NET_ACTIVE_WINDOW']);
    const found = /(?:window id #|=) (0x[0-9a-f]+|\d+)/i.exec(property)?.[1];
    return found === undefined || Number(found) === 0 ? 'root' : found;
  };

  const picture = async (further: readonly string[]): Promise<Buffer> => {
    const args = [...before, '-silent', '-window', await activeWindow(), ...further, 'png:-'];
    return programs.run(importer, args, { deadlineMs, maxBytes });
  };

  return {
    async capture() {
      let png: Buffer;
      try {
        png = await picture([]).catch((error: unknown) => {
          if (!(error instanceof TooMuchOutput)) throw error;
          return picture(['-resize', `${reducedSide}x${reducedSide}>`]);
        });
      } catch (error) {
        throw captureErrors.FAILED({ reason: messageOf(error) }, error);
      }
      if (!png.subarray(0, signature.length).equals(signature)) {
        throw captureErrors.FAILED({ reason: 'the capture program gave no PNG' });
      }
      return png;
    },
  };
}

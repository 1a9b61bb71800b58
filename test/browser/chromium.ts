/** Debian's Chromium, driven by Playwright; nothing of it goes out of the machine. */
import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Undefined where there is none. */
export const chromiumPath = (): string | undefined =>
  [process.env.SVC_TEST_CHROMIUM ?? '', ...places].find(each => each !== '' && existsSync(each));

/** In a folder of its own, which it removes. */
export const openBrowser = (executablePath: string): Promise<Browser> =>
  chromium.launch({
    executablePath,
    args: [
      ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
      ...['--disable-component-update', '--disable-sync', '--disable-dev-shm-usage'],
    ],
  });

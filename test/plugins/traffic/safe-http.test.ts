/** Headers, paths and ids as they may be shown. */
import { expect, test } from 'vitest';
import { headersJson, shownHeaders } from '../../../plugins/traffic/safe-http.ts';

test('a credential that stands where a header is cut is taken out whole', () => {
  const token = `ghp_${'Ab1'.repeat(12)}`;
  for (let before = 480; before < 512; before += 1) {
    const agent = `${'x'.repeat(before)} ${token}`;
    const shown = headersJson(shownHeaders.map(name => (name === 'user-agent' ? agent : undefined)));
    expect(shown).not.toContain('ghp_');
    expect(JSON.parse(shown)['user-agent'].length).toBeLessThanOrEqual(512);
  }
});

/** What an instance refuses has one status, whether it is asked itself or through the gateway. */
import { expect, test } from 'vitest';
import { answering } from '../../skills/support.ts';
import { gatewayOver, type Json, raw } from '../support.ts';

const review = answering('review', 'yes', {
  files: {
    'prompts.yaml':
      'prompts:\n  - name: review\n    arguments:\n      - name: shot\n        required: true\n    template: "Review {{shot}}."\n',
  },
});

test('what is not there is 404 and what is asked wrongly 400; only a failure of the instance is 502 [spec:shape:instance]', async () => {
  const { url, hosts } = await gatewayOver([
    {
      packages: { review },
      setup(server) {
        void server.resources().addProducer({
          scheme: 'memo',
          list: () => [],
          read: uri => {
            if (uri === 'memo://broken') throw new Error('the disk is gone');
            return undefined;
          },
        });
      },
    },
  ]);
  const [host] = hosts;
  await host?.server.loadSkill('review');
  const id = host?.short;
  const asked = async (path: string) => {
    const { status, json } = await raw(url, `/v1/${path}`);
    return [status, (json.error as Json | undefined)?.kind];
  };
  const resource = (uri: string) => asked(`resources/${encodeURIComponent(uri)}`);

  expect(await resource(`scene://${id}/current`)).toEqual([200, undefined]);
  expect(await resource(`scene://${id}/nope`)).toEqual([404, 'not-found']);
  expect(await resource(`nothing://${id}/nope`)).toEqual([404, 'not-found']);
  expect(await resource(`artefact://${id}/sha256/${'0'.repeat(64)}`)).toEqual([404, 'not-found']);
  expect(await resource(`audit://${id}/recent?limit=many`)).toEqual([400, 'invalid-params']);
  expect(await resource(`memo://${id}/broken`)).toEqual([502, 'backend-error']);

  const name = `i_${id}__review`;
  expect(await asked(`prompts/${name}?args=${encodeURIComponent('{"shot":"010"}')}`)).toEqual([200, undefined]);
  expect(await asked(`prompts/${name}`)).toEqual([400, 'invalid-params']);
  expect(await asked(`prompts/i_${id}__nobody`)).toEqual([404, 'not-found']);
});

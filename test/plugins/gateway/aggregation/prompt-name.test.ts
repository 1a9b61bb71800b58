import { expect, test } from 'vitest';
import { ownPrompt, shownPrompt } from '../../../../plugins/gateway/aggregation/prompt-name.ts';

test.each([
  ['review', 'i_1a2b3c4d__review'],
  ['review-scene', 'i_1a2b3c4d__review_H_scene'],
  ['rig.examples.two_legs', 'i_1a2b3c4d__rig_D_examples_D_two_U_legs'],
  ['a b/c', 'i_1a2b3c4d__a_X20_b_X2F_c'],
  ['ü 😀', 'i_1a2b3c4d___XC3__XBC__X20__XF0__X9F__X98__X80_'],
  ['_U_', 'i_1a2b3c4d___U_U_U_'],
])('the prompt %s is %s at the gateway, and back [spec:shape:prompts]', (name, shown) => {
  expect(shownPrompt(name, '1a2b3c4d')).toBe(shown);
  expect(ownPrompt(shown)).toEqual({ id: '1a2b3c4d', name });
});

test.each([
  'review',
  'i_1a2__x',
  'i_1a2b3c4d__',
  'i_1a2b3c4d__a b',
  'i_1a2b3c4d__a_Q_',
  'i_1a2b3c4d__a_X2_',
  'maya.1a2b3c4d.x',
])('%s names no prompt of an instance', name => {
  expect(ownPrompt(name)).toBeUndefined();
});

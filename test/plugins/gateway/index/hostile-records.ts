/** Records whose texts are hard to find parts of: odd names, scripts without spaces, words that say nothing. */
import type { CapabilityRecord } from '../../../../plugins/gateway/index/api.ts';

/** A record with a name; the rest is empty or given. */
export function record(name: string, more: Partial<CapabilityRecord> = {}): CapabilityRecord {
  const { instance_id = '11111111-0000-4000-8000-000000000000', dcc_type = 'maya' } = more;
  return {
    tool_slug: `${dcc_type}.${instance_id.slice(0, 8)}.${name}`,
    ...{ backend_tool: name, callable_id: name, skill_name: null, summary: '', description: '', tags: [], aliases: [] },
    ...{ dcc_type, instance_id, has_schema: false, loaded: true, group_active: true },
    ...more,
  };
}

const described = (name: string, description: string, more: Partial<CapabilityRecord> = {}): CapabilityRecord =>
  record(name, { description, summary: description.split('\n')[0]?.slice(0, 160) ?? '', ...more });

const schema = (...names: string[]) => ({
  type: 'object',
  properties: Object.fromEntries(names.map(name => [name, { type: 'string', description: `The ${name} of it.` }])),
});

export const hostileRecords: readonly CapabilityRecord[] = [
  described('a-b', 'A/B: takes a - or b. Is it a or b?', { tags: ['a-b', 'x'], aliases: ['b-a', 'a|b'] }),
  described('c++', 'Compiles C++ (not C#, nor F*) -- e.g. "g++ -O2 x.c".', { tags: ['c#', '.net'], aliases: ['g++'] }),
  described('3d', 'From 2d to 3d: x, y & z.', { aliases: ['2.5d', '3-d'], tags: ['r,g,b'] }),
  described('x_y_z', 'Moves by x_y_z; u/v is left.', { input_schema: schema('t_x', 't_y', 'r-z', '_', 'a__b') }),
  described('go_to_the_end', 'To be or not to be: that is the thing of it all.', { skill_name: 'for-the-and' }),
  described('turn_on_off', 'On/off, in/out, and/or.', { tags: ['on/off'], aliases: ['is_on', 'on_to'] }),
  described('toUse', 'onTo isIn doIt', { aliases: ['asOf', 'andOr'], input_schema: schema('isOn', 'toBe') }),
  described('node2mesh4u', 'H264, mp4, v1.2.3-rc4 and 10bit; 0x1F.', { aliases: ['a1b2c3', '1a2b'], tags: ['4k'] }),
  described('createUVMapFromXYZ2', 'HTTPServer2XMLParser iOS eBook', { input_schema: schema('mapURLs', 'aB', 'XYZ') }),
  described('レンダリング設定', 'シーンのレンダー設定を変更します。面・辺・点。ｶﾞｲﾄﾞ付き。', {
    tags: ['面', '設定'],
    aliases: ['ガイド'],
  }),
  described('渲染一帧', '渲染当前帧，并保存图像到文件。UV展开与3D模型。', {
    tags: ['渲染', '面'],
    skill_name: '渲染工具',
  }),
  described('렌더링_시작', '현재 장면을 렌더링합니다. 면과 점을 3D로.', {
    aliases: ['렌더', '한글'.normalize('NFD')],
    tags: ['면'],
  }),
  described('éclairage_forcé', 'Règle l’éclairage là où l’œil naïf le voit déjà; Ça marche à Noël.', {
    aliases: ['lumière'],
  }),
  described('cafe\u0301_scene', 'Decomposed: re\u0301sume\u0301, A\u030angstro\u0308m, n\u0303.', {
    tags: ['deja\u0300'],
  }),
  described('Texturkoordinaten_prüfen', 'Prüft Straßenbeleuchtungssteuerungsgeräte und Größen.', {
    search_hint: 'Donaudampfschifffahrtsgesellschaft, Übergröße',
  }),
  described('ΡΥΘΜΙΣΗ_ΦΩΤΟΣ', 'Ρύθμιση του φωτός ΤΗΣ ΣΚΗΝΗΣ όλος', { aliases: ['ФОРМАТ', 'Ёлка', 'объект'] }),
  described('İstanbul_ışık', 'Işıkları açar; ŁÓDŹ, Øre, Þing, ﬁle, ½ inch, ㎏, Sony™.', { tags: ['ığdır'] }),
  described('q', 'Z', { aliases: ['j'], tags: ['7'], skill_name: 'w' }),
  described('+++', '=> -> <=', { aliases: ['<<', '::'], tags: ['§', '🎬🎥'] }),
  described(`long_${'abcdefghij'.repeat(60)}`, `data:${'QUJDREVG1234'.repeat(200)} end`, { tags: ['0'.repeat(199)] }),
  described('blanks', 'Two  blanks,\ttabs\nand\r\n  lines;\u00a0hard ones\u3000wide. It is\n\nso.', { summary: '' }),
  described('nested_fields', 'Deep schema. Second sentence of the description, not in the summary.', {
    summary: 'Deep schema.',
    annotations: { title: 'Nested "Fields" 2' },
    input_schema: {
      type: 'object',
      properties: { outer: { items: { properties: { inner_q9: { enum: ['top-left', 'i/o'] } } } } },
      $defs: { Point: { properties: { pos_x_y: { description: 'A.B of p.' } } } },
    },
    search_hint: 'i.e. w/o a_b',
  }),
  described('cut_summary', `${'word '.repeat(30)}transformation and more`, {
    summary: `${'word '.repeat(30)}transf`,
  }),
];

/** Short queries in the words of the tools: what other words would find stays behind. */
import { expect, test } from 'vitest';
import { record } from '../../gateway/index/hostile-records.ts';
import { createRecordSearch } from '../relevance/figures.ts';

const tools: Record<string, string> = {
  import_media: 'Import footage, stills or audio from disk into a bin of the project.',
  load_clip: 'Open a video clip in the source monitor.',
  read_plate: 'Creates a Read node for a plate, footage or image sequence.',
  place_footage: 'Places footage on the timeline at the playhead.',
  import_file: 'Import a file into the open document.',
  replace_footage: 'Replace the source of a footage item.',
  import_audio_file: 'Import a sound file (wav, ogg, mp3) as an audio asset, for example a sound effect.',
  add_sound_effect: 'Adds an audio effect such as reverb or echo to a track.',
  load_audio: 'Load a sound clip, voice or music, for the timeline.',
  apply_audio_effect: 'Apply a filter or effect to a sound.',
  export_wav: 'Export the mix as wav.',
  find_and_replace: 'Replace text in every slide of a PowerPoint presentation.',
  swap_caption: 'Swap the caption, label or title of a PowerPoint slide.',
  change_words: 'Change the wording of a text layer.',
  replace_material: 'Replace a material on every object.',
  presentation_create: 'Create a PowerPoint presentation.',
};

test.each([
  ['import footage', 'import_media'],
  ['import wav sound effect', 'import_audio_file'],
  ['powerpoint replace text', 'find_and_replace'],
])('%s finds %s first', (query, name) => {
  const search = createRecordSearch();
  for (const [tool, description] of Object.entries(tools)) search.put(record(tool, { description }));
  expect(search.search({ query }).hits[0]?.backend_tool).toBe(name);
});

test('a short query in words of the index trusts other words half as much as one in other words', () => {
  const scoreOf = (query: string, name: string) => {
    const search = createRecordSearch();
    for (const each of ['delete_shelf', 'erase_drawer']) search.put(record(each));
    return search.search({ query }).hits.find(each => each.backend_tool === name)?.score ?? 0;
  };
  expect(scoreOf('delete shelf', 'erase_drawer')).toBeLessThan(scoreOf('delete shelf zzz', 'erase_drawer'));
});

test.each([
  ['my footage is shaky, can you make it steady please', 'sentence'],
  ['cut the clip at the playhead', 'sentence'],
  ['footage', undefined],
  ['import audio file', undefined],
  ['quantum entanglement', 'poor'],
  ['', undefined],
])('the query %j raises the doubt %s', (query, doubt) => {
  const search = createRecordSearch();
  for (const [tool, description] of Object.entries(tools)) search.put(record(tool, { description }));
  expect(search.search({ query }).doubt).toBe(doubt);
});

/** The second step of the bundle: which chunks become which pack, and what is changed in them. */
import { expect, test } from 'vitest';
import { assignedLater, packsOf, withLoad } from '../../cli/build-packs.ts';

test('an import() becomes a call of the same length, but for what is bundled with it', () => {
  const text = 'const a=()=>import("./a.js"),b=u=>import(u);say("import(x)",import.meta.url);import"./b.js";';
  expect(withLoad(text, () => false)).toBe(
    'const a=()=>svcUse("./a.js"),b=u=>svcUse(u);say("import(x)",import.meta.url);import"./b.js";',
  );
  expect(withLoad(text, each => each === './a.js')).toBe(text.replace('import(u)', 'svcUse(u)'));
});

test('exports that a function assigns are found, and no others', () => {
  const text = `let a = 1, b = 2, c = 3, d = 4, own = 5; a = 6;
    const set = () => { b = 7; c++; own = 8; if (-d > 0) d.e = 9; };
    export { a, b as other, c, d, set };`;
  expect(assignedLater(text)).toEqual(['b', 'c']);
});

test('a chunk is in the pack of the lightest that needs it; what a start does not read stays a file', () => {
  const output = (entryPoint: string | undefined, ...imports: string[]) => ({
    ...{ bytes: 1, inputs: {}, exports: [] },
    ...(entryPoint !== undefined && { entryPoint }),
    imports: imports.map(each => ({ path: `dist/chunks/${each}.js`, kind: 'import-statement' as const })),
  });
  const packs = packsOf({
    'dist/index.js': output('plugins/index.ts', 'light'),
    'dist/svc-server.js': output('cli/svc-server.ts', 'line'),
    'dist/commands/status.js': output('cli/commands/status.ts', 'line', 'shown', 'state'),
    'dist/commands/serve.js': output('cli/commands/serve.ts', 'line', 'state', 'app'),
    'dist/chunks/light.js': output(undefined),
    'dist/chunks/line.js': output(undefined, 'light'),
    'dist/chunks/state.js': output(undefined, 'light'),
    'dist/chunks/shown.js': output(undefined),
    'dist/chunks/app.js': output(undefined, 'line'),
  });
  expect(Object.fromEntries(packs)).toEqual({
    threads: ['dist/chunks/light.js'],
    programs: ['dist/chunks/line.js'],
    commands: ['dist/chunks/state.js'],
    server: ['dist/chunks/app.js'],
  });
});

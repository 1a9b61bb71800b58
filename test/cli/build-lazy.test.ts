import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { withLazyImports, withoutCollation } from '../../cli/build-lazy.ts';
import { tempDir } from '../helper.ts';

const run = promisify(execFile);
const loud = (name: string, value: string) => `console.log('${name}'); module.exports = ${value};`;

/** As TypeScript writes CommonJS. */
const compiled = `"use strict";
var __importDefault = (this && this.__importDefault) || (mod => (mod && mod.__esModule) ? mod : { "default": mod });
const used_1 = __importDefault(require("./used.js"));
const unused_1 = require("./unused.js");
var base_1 = require("./base.js");
require("./effect.js");
console.log('body');
class Thing extends base_1.Base {}
console.log(new used_1.default(2).value, (0, base_1.twice)(4), typeof Thing.unused_1);
exports.late = () => unused_1.value;
`;

test('what a module imports runs when it is used, in the same words as before', async () => {
  const folder = await tempDir();
  const files = {
    'used.js': loud('used', 'class { constructor(value) { this.value = value; } }'),
    'unused.js': loud('unused', '{ value: 3 }'),
    'base.js': loud('base', '{ Base: class {}, twice: n => 2 * n }'),
    'effect.js': loud('effect', '{}'),
    'eager.js': compiled,
    'lazy.js': withLazyImports(compiled),
    'late.js': "require('./lazy.js'); console.log(require('./lazy.js').late());",
  };
  await Promise.all(Object.entries(files).map(([name, text]) => writeFile(join(folder, name), text)));
  const printed = async (name: string) => (await run(process.execPath, [join(folder, name)])).stdout.trim().split('\n');
  expect(await printed('eager.js')).toEqual(['used', 'unused', 'base', 'effect', 'body', '2 8 undefined']);
  expect(await printed('lazy.js')).toEqual(['effect', 'body', 'base', 'used', '2 8 undefined']);
  expect((await printed('late.js')).slice(-2)).toEqual(['unused', '3']);
});

test('names are put in order without collation data', () => {
  const order = (text: string): string[] => new Function('list', `return list.sort(${text});`)(['b', 'a:b', 'a', 'a']);
  const byId = withoutCollation('(a, b) => a.localeCompare(b)');
  expect([byId.includes('localeCompare'), order(byId)]).toEqual([false, ['a', 'a', 'a:b', 'b']]);
});

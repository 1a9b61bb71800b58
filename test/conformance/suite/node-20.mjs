/**
 * Lets the suite start on Node 20: its bundle imports `globSync` of `fs`, which came with Node 22, for a subcommand that
 * is not used here. Where the name is missing, the suite's own import of `fs` gets one that finds nothing.
 */
import * as fs from 'node:fs';
import { register } from 'node:module';

const data = text => `data:text/javascript,${encodeURIComponent(text)}`;

if (!('globSync' in fs)) {
  const withGlob = data(`
    export * from 'node:fs';
    export { default } from 'node:fs';
    export const globSync = () => [];
  `);
  register(
    data(`
      export function resolve(specifier, context, next) {
        const asked = specifier === 'fs' && String(context.parentURL).includes('/@modelcontextprotocol/conformance/');
        return asked ? { url: ${JSON.stringify(withGlob)}, shortCircuit: true } : next(specifier, context);
      }
    `),
  );
}

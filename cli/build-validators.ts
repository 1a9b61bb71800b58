/**
 * esbuild plugin: our own schemas become validators at build time, and the settings of the plugins are merged, so that no
 * schema is compiled, and no `config.ts` loaded for its schema alone, before the server listens.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import standalone from 'ajv/dist/standalone/index.js';
import type { Plugin } from 'esbuild';
import { gatewaySettings, relaySettings, serverSettings, tunnelSettings } from '../plugins/index.ts';
import { HelloSchema, hostMessages } from '../schemas/host-link.ts';
import { InstanceRowSchema } from '../schemas/instance.ts';
import {
  DeregisterInstanceSchema,
  HeartbeatInstanceSchema,
  RegisterInstanceSchema,
} from '../schemas/instance-registration.ts';
import { PromptDeclarationSchema, WorkflowReferenceSchema } from '../schemas/prompt.ts';
import {
  SkillFrontmatterSchema,
  SkillGroupSchema,
  SkillMetadataSchema,
  SkillToolSchema,
} from '../schemas/skill-manifest.ts';
import { ToolDefinitionSchema } from '../schemas/tool.ts';
import { asideOf, putAside } from './build-aside.ts';

/** Settings as `settingsOf` composes them. */
const composed = [await serverSettings(), await gatewaySettings(), await relaySettings(), await tunnelSettings()];

// As the kernel's engines of these kinds are made. A schema that is not here is compiled at run time.
const kinds = {
  modern: {
    schemas: [
      ...[ToolDefinitionSchema, RegisterInstanceSchema, HeartbeatInstanceSchema, DeregisterInstanceSchema],
      ...[HelloSchema, ...Object.values(hostMessages)],
    ],
    useDefaults: false,
  },
  defaults: {
    schemas: [
      ...composed,
      SkillFrontmatterSchema,
      SkillMetadataSchema,
      SkillToolSchema,
      SkillGroupSchema,
      PromptDeclarationSchema,
      WorkflowReferenceSchema,
      InstanceRowSchema,
    ],
    useDefaults: true,
  },
};

// The packages are CommonJS: their types describe `module.exports`, at run time the function is its default.
const generate = standalone as unknown as typeof standalone.default;

/** What `kernel/own-validators.ts` becomes: an object whose members are read from their files when they are asked for. */
const lazily = (files: Iterable<readonly [string, string]>): string =>
  `{ ${Array.from(files, ([key, file]) => `get ${JSON.stringify(key)}() { return read('#aside/${file}'); }`).join(', ')} }`;

const idOf = (schema: object): string => String((schema as { $id?: string }).$id);
const fileOf = (key: string, end: string): string => `${key.replaceAll(/\W/g, '-')}.${end}`;

/**
 * Replaces `kernel/own-validators.ts` in the bundle. Each validator stands aside: a start that reads all of them spends
 * more time on those that it does not need than on its settings.
 */
export const validatorsPlugin: Plugin = {
  name: 'own-validators',
  setup(build) {
    const folder = asideOf(build.initialOptions);
    build.onResolve({ filter: /[/-]config\.ts$/ }, ({ kind }) =>
      kind === 'dynamic-import' ? { path: 'settings', namespace: 'composed' } : undefined,
    );
    build.onLoad({ filter: /^settings$/, namespace: 'composed' }, () => ({ contents: 'export {};', loader: 'js' }));
    build.onLoad({ filter: /[\\/]kernel[\\/]own-validators\.ts$/ }, async () => {
      await mkdir(folder, { recursive: true });
      const validators = Object.entries(kinds).flatMap(([kind, { schemas, useDefaults }]) =>
        schemas.map(async schema => {
          const key = `${kind} ${idOf(schema)}`;
          await putAside(folder, fileOf(key, 'cjs'), validatorOf(schema, useDefaults));
          return [key, fileOf(key, 'cjs')] as const;
        }),
      );
      const merged = composed.map(async schema => {
        await writeFile(join(folder, fileOf(schema.$id, 'json')), JSON.stringify(schema));
        return [schema.$id, fileOf(schema.$id, 'json')] as const;
      });
      return {
        contents: [
          "import { createRequire } from 'node:module';",
          'const read = createRequire(import.meta.url);',
          `export const ownValidators = ${lazily(await Promise.all(validators))};`,
          `export const ownSchemas = ${lazily(await Promise.all(merged))};`,
        ].join('\n'),
        loader: 'js',
      };
    });
  },
};

/** A CommonJS module that is the validator of `schema`. */
function validatorOf(schema: object, useDefaults: boolean): string {
  const ajv = new Ajv2020({ strict: false, useDefaults, code: { source: true }, schemas: [schema] });
  return generate(ajv, ajv.getSchema(idOf(schema)));
}

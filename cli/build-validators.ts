/**
 * esbuild plugin: our own schemas become validators at build time, and the settings of the plugins are merged, so that no
 * schema is compiled, and no `config.ts` loaded for its schema alone, before the server listens.
 */
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

/** Replaces `kernel/own-validators.ts` in the bundle. */
export const validatorsPlugin: Plugin = {
  name: 'own-validators',
  setup(build) {
    build.onResolve({ filter: /[/-]config\.ts$/ }, ({ kind }) =>
      kind === 'dynamic-import' ? { path: 'settings', namespace: 'composed' } : undefined,
    );
    build.onLoad({ filter: /^settings$/, namespace: 'composed' }, () => ({ contents: 'export {};', loader: 'js' }));
    build.onLoad({ filter: /[\\/]kernel[\\/]own-validators\.ts$/ }, () => ({
      contents: `${Object.keys(kinds).map(moduleOf).join('\n')}\nexport const ownValidators = { ${Object.keys(kinds)
        .map(kind => `...${kind}`)
        .join(
          ', ',
        )} };\nexport const ownSchemas = ${JSON.stringify(Object.fromEntries(composed.map(each => [each.$id, each])))};`,
      loader: 'js',
      resolveDir: import.meta.dirname,
    }));
  },
};

const idOf = (schema: object): string => String((schema as { $id?: string }).$id);

/** Code that defines `kind` as an object of validators. */
function moduleOf(kind: string): string {
  const { schemas, useDefaults } = kinds[kind as keyof typeof kinds];
  const ajv = new Ajv2020({ strict: false, useDefaults, code: { source: true }, schemas: [...schemas] });
  const names = Object.fromEntries(schemas.map((schema, index) => [`validator${index}`, idOf(schema)]));
  const keys = Object.entries(names).map(([name, id]) => `${JSON.stringify(`${kind} ${id}`)}: exports.${name}`);
  return `const ${kind} = (() => {
const exports = {};
const module = { exports };
${generate(ajv, names)}
return { ${keys.join(', ')} };
})();`;
}

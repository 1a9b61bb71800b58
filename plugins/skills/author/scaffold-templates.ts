/** The files of a new skill, by kind: complete and working, to be edited rather than filled in. */

export const scaffoldTemplates = ['typescript', 'python', 'shell'] as const;
export type ScaffoldTemplate = (typeof scaffoldTemplates)[number];

export interface TemplateInput {
  name: string;
  description: string;
  dcc: string;
  tool: string;
}

/** File contents by path, relative to the package; `types` is what `skillTypes` gives. */
export function templateFiles(template: ScaffoldTemplate, input: TemplateInput, types: string): Record<string, string> {
  const stem = input.tool.replaceAll('-', '_').toLowerCase();
  const code: Record<ScaffoldTemplate, [string, string]> = {
    typescript: [`tools/${stem}.ts`, typescriptTool],
    python: [`scripts/${stem}.py`, pythonTool],
    shell: [`scripts/${stem}.sh`, shellTool],
  };
  const [file, text] = code[template];
  return {
    'SKILL.md': skillMarkdown(input, file),
    'tools.yaml': toolsYaml(input),
    [file]: text,
    ...(template === 'typescript' && {
      'package.json': packageJson(input),
      'tsconfig.json': tsconfig,
      'svc.d.ts': types,
    }),
  };
}

// JSON is YAML: a quoted text needs no thought about what is special in it.
const quoted = (text: string): string => JSON.stringify(text);

const skillMarkdown = ({ name, description, dcc, tool }: TemplateInput, file: string): string => `---
name: ${name}
description: ${quoted(description)}
metadata:
  svc:
    version: 0.1.0
    dcc: ${quoted(dcc)}
    tags: [text]
    search-hint: count words, lines and characters of a text
    tools: tools.yaml
---

# ${name}

Load this skill, then call \`${tool}\` with a text. The answer's \`context\` holds the counts.

The code is in \`${file}\`. A loaded skill picks up a saved change by itself; \`tools.yaml\` declares what callers see.
`;

const toolsYaml = ({ tool }: TemplateInput): string => `tools:
  - name: ${tool}
    description: Counts the words, lines and characters of a text.
    read_only: true
    idempotent: true
    input_schema:
      type: object
      properties:
        text:
          type: string
          description: The text to measure.
      required: [text]
      additionalProperties: false
`;

/** No dependency is needed to serve it; with `npm install` it is checked as an editor checks it. */
const packageJson = ({ name }: TemplateInput): string =>
  `${JSON.stringify(
    {
      name,
      private: true,
      type: 'module',
      scripts: { check: 'svc-server skills validate . && tsc', dev: 'svc-server skills dev .' },
      devDependencies: { '@types/node': '^20.19.0', typescript: '^6.0.0' },
    },
    null,
    2,
  )}\n`;

/** The server bundles: imports are found as bundlers find them. Node's own types are used where they are installed. */
const tsconfig = `{
  "compilerOptions": {
    "target": "ES2023",
    "lib": ["ES2023", "DOM"],
    "module": "esnext",
    "moduleResolution": "bundler",
    "strict": true,
    "noUncheckedIndexedAccess": true,
    "isolatedModules": true,
    "allowImportingTsExtensions": true,
    "resolveJsonModule": true,
    "skipLibCheck": true,
    "noEmit": true
  },
  "include": ["svc.d.ts", "tools", "lib"]
}
`;

const typescriptTool = `import type { SkillTool } from 'svc';

interface Args {
  text: string;
}

/** Counts words, lines and characters. The returned object is what the caller gets. */
const measure: SkillTool<Args> = ({ text }, ctx) => {
  const lines = text === '' ? [] : text.split('\\n');
  let words = 0;
  for (const [index, line] of lines.entries()) {
    words += line.split(/\\s+/).filter(Boolean).length;
    ctx.progress(index + 1, lines.length);
  }
  const characters = [...text].length;
  ctx.log.debug('measured a text', { characters });
  return {
    success: true,
    message: \`\${words} words in \${lines.length} lines\`,
    context: { words, lines: lines.length, characters },
  };
};

export default measure;
`;

const pythonTool = `"""Counts words, lines and characters: the arguments come as JSON, the answer is JSON."""
import svc_script  # the server provides it: nothing is to be installed

text = svc_script.arguments()["text"]
lines = text.split("\\n") if text else []
words = 0
for number, line in enumerate(lines, 1):
    words += len(line.split())
    svc_script.progress(number, len(lines))
svc_script.succeed(
    f"{words} words in {len(lines)} lines", words=words, lines=len(lines), characters=len(text)
)
`;

const shellTool = `#!/usr/bin/env bash
# Counts words, lines and characters. The server provides svc_*: nothing is to be installed.
set -euo pipefail
. "$SVC_HELPERS/svc_script.sh"

text=$(svc_arg text)
words=$(printf '%s' "$text" | wc -w | tr -d ' ')
svc_progress 1 2 "counted the words"
lines=0
if [ -n "$text" ]; then lines=$(printf '%s\\n' "$text" | wc -l | tr -d ' '); fi
svc_progress 2 2 "counted the lines"
svc_succeed "$words words in $lines lines" words "$words" lines "$lines" characters "\${#text}"
`;

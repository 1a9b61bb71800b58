/** The files of a new skill, by kind: complete and working, to be edited rather than filled in. */

export const scaffoldTemplates = ['typescript', 'python', 'shell'] as const;
export type ScaffoldTemplate = (typeof scaffoldTemplates)[number];

export interface TemplateInput {
  name: string;
  description: string;
  dcc: string;
  tool: string;
}

/** File contents by path, relative to the package. */
export function templateFiles(template: ScaffoldTemplate, input: TemplateInput): Record<string, string> {
  const stem = input.tool.replaceAll('-', '_').toLowerCase();
  const code: Record<ScaffoldTemplate, [string, string]> = {
    typescript: [`tools/${stem}.ts`, typescriptTool],
    python: [`scripts/${stem}.py`, pythonTool],
    shell: [`scripts/${stem}.sh`, shellTool],
  };
  const [file, text] = code[template];
  return { 'SKILL.md': skillMarkdown(input, file), 'tools.yaml': toolsYaml(input), [file]: text };
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

const typescriptTool = `import type { SkillTool } from 'svc';

interface Args {
  text: string;
}

/** Counts words, lines and characters. The returned object is what the caller gets. */
const measure: SkillTool<Args> = ({ text }, ctx) => {
  const words = text.split(/\\s+/).filter(Boolean).length;
  const lines = text === '' ? 0 : text.split('\\n').length;
  const characters = [...text].length;
  ctx.log.debug('measured a text', { characters });
  return {
    success: true,
    message: \`\${words} words in \${lines} lines\`,
    context: { words, lines, characters },
  };
};

export default measure;
`;

const pythonTool = `"""Counts words, lines and characters: arguments as JSON on stdin, the answer as JSON on stdout."""
import json
import sys

args = json.load(sys.stdin)
text = args["text"]
words = len(text.split())
lines = text.count("\\n") + 1 if text else 0
json.dump(
    {
        "success": True,
        "message": f"{words} words in {lines} lines",
        "context": {"words": words, "lines": lines, "characters": len(text)},
    },
    sys.stdout,
)
`;

const shellTool = `#!/usr/bin/env bash
# Counts words, lines and characters. Arguments also come as flags: --text <text>; the answer is JSON on stdout.
set -euo pipefail
text=""
while [ $# -gt 0 ]; do
  case "$1" in
    --text) text="\${2-}"; shift 2 ;;
    *) shift ;;
  esac
done
words=$(printf '%s' "$text" | wc -w | tr -d ' ')
lines=0
if [ -n "$text" ]; then lines=$(printf '%s\\n' "$text" | wc -l | tr -d ' '); fi
printf '{"success":true,"message":"%s words in %s lines","context":{"words":%s,"lines":%s,"characters":%s}}\\n' \\
  "$words" "$lines" "$words" "$lines" "\${#text}"
`;

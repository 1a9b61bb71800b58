/** What each reason code of a refused package means and the steps that cure it; pure. */

export interface Explanation {
  meaning: string;
  steps: readonly string[];
}

const frontmatterExample =
  '---\nname: my-skill\ndescription: What it does and when to use it.\nmetadata:\n  svc:\n    tools: tools.yaml\n---';

const explanations: Readonly<Record<string, Explanation>> = {
  missing_skill_md: {
    meaning: 'A directory on a search path has no SKILL.md, so it is no package.',
    steps: [
      'Is it meant to be a skill? If not, move it out of the search path.',
      `Create SKILL.md (exactly this spelling) that begins with:\n${frontmatterExample}`,
      'Or let scaffold_skill make a whole package and move your files into it.',
    ],
  },
  read_error: {
    meaning: 'A file of the package could not be read.',
    steps: [
      'Check that the server may read the file.',
      'Save it as UTF-8 text.',
      'Keep it under the size limit that the message names.',
    ],
  },
  missing_frontmatter: {
    meaning: 'SKILL.md does not begin with a block of YAML between two "---" lines.',
    steps: [
      'Make "---" the very first line: nothing before it, not even an empty line.',
      `Close the block with another "---":\n${frontmatterExample}`,
    ],
  },
  invalid_frontmatter_yaml: {
    meaning: 'The block between the "---" lines is not valid YAML.',
    steps: [
      'Go to the line that the message names.',
      'Indent with spaces, never with tabs.',
      'Quote a text that holds ": " or begins with one of {[&*!|>%@`#.',
      'Keep every key once per mapping.',
    ],
  },
  non_spec_top_level_keys: {
    meaning: 'SKILL.md has top-level keys that the Agent Skills format does not know.',
    steps: [
      'Keep only name, description, license, compatibility, metadata and allowed-tools at the top level.',
      'Move every other key under metadata.svc, for example dcc, version, tags, tools, groups, depends.',
    ],
  },
  invalid_frontmatter_shape: {
    meaning: 'A key of the frontmatter has the wrong type or is missing.',
    steps: [
      'name and description are required texts.',
      'compatibility has at most 500 characters.',
      'metadata is a mapping; tags and depends are lists.',
    ],
  },
  unknown_key: {
    meaning: 'A key that nothing reads: what it says is lost, a safety hint too.',
    steps: ['Go to the file and line.', 'Write the key that is suggested, or remove it.'],
  },
  build_failed: {
    meaning: 'The code of a TypeScript or JavaScript tool cannot be built, so the skill cannot be loaded.',
    steps: [
      'Go to the file and line.',
      'A package that is not found must be installed in the directory of the skill (npm install).',
      'A tool file has a function as its default export.',
    ],
  },
  syntax_error: {
    meaning: 'The interpreter of a script cannot parse it.',
    steps: ['Go to the file and line.', 'Correct what the message names; nothing was executed.'],
  },
  stale_skip_record: {
    meaning: 'The directory has changed since it was refused; the record is out of date.',
    steps: ['Ask again in a moment, or run validate_skill on the directory for the present state.'],
  },
  invalid_name: {
    meaning: 'A name has characters that clients refuse.',
    steps: ['Use letters, digits, "-" and "_" only and begin with a letter or digit.', 'Write no dots or spaces.'],
  },
  name_too_long: {
    meaning: 'A name is too long: clients accept tool names of at most 64 characters.',
    steps: [
      'Shorten the name that the message quotes.',
      'Remember that a colliding tool is published as <skill>__<tool>.',
    ],
  },
  invalid_tools_yaml: {
    meaning: 'tools.yaml cannot be used.',
    steps: [
      'Write a mapping "tools:" with a list; every entry has a name.',
      'Write "execution: async" instead of "deferred".',
      'Make sure the file that metadata.svc.tools names exists.',
    ],
  },
  invalid_groups_yaml: {
    meaning: 'groups.yaml cannot be used.',
    steps: [
      'Write a mapping "groups:" with a list; every entry has a name, a description and tools.',
      'Name every group once.',
    ],
  },
  duplicate_tool_name: {
    meaning: 'Two tools of the package have one name.',
    steps: ['Rename one of them in tools.yaml and in groups.yaml.'],
  },
  path_outside_directory: {
    meaning: 'The manifest names a file outside the package.',
    steps: [
      'Copy the file into the package.',
      'Name it by a relative path without "..", and not through a link that leads out.',
    ],
  },
  missing_source_file: {
    meaning: 'source_file of a tool names a file that does not exist.',
    steps: [
      'Correct source_file (relative to the package), or create the file.',
      'Or leave source_file out and name the file like the tool: tools/<tool>.ts or scripts/<tool>.py.',
    ],
  },
  invalid_tool_schema: {
    meaning: 'The input or output schema of a tool is not valid JSON Schema.',
    steps: [
      'Begin with "type: object" and "properties:".',
      'Check the spelling of every keyword and type at the place that the message names.',
    ],
  },
  name_differs_from_directory: {
    meaning: 'The package loads, but its directory has another name than the skill.',
    steps: ['Rename the directory, or "name" in SKILL.md, so that both agree.'],
  },
  unusual_name: {
    meaning: 'The package loads, but other clients of the Agent Skills format may refuse its name.',
    steps: ['Use lower-case letters, digits and "-".'],
  },
  no_guidance: {
    meaning: 'The package loads, but SKILL.md has nothing below the frontmatter.',
    steps: ['Say which tool to call first, what to do when it fails, and what the answers mean.'],
  },
  duplicate_skill_name: {
    meaning: 'Another package with this name was found first, in a search path that goes before.',
    steps: ['Rename this skill, or remove the other one from its search path.'],
  },
};

/** The explanation of a reason code; for a code unknown here a general one. */
export function explain(reasonCode: string): Explanation {
  const known = Object.hasOwn(explanations, reasonCode) ? explanations[reasonCode] : undefined;
  return (
    known ?? {
      meaning: 'The package was refused.',
      steps: ['Do what the message and suggested_fix say, then run validate_skill.'],
    }
  );
}

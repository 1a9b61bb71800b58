/** Whether the code of a package can be built and parsed, as its load would find out. Nothing of it runs. */
import { extname, relative, resolve, sep } from 'node:path';
import type { Message } from 'esbuild';
import { type Environment, messageOf } from '../../../kernel/index.ts';
import { type SkillFinding, suggestedFixes } from '../packages/rejection.ts';
import type { ToolFile } from '../packages/tool-files.ts';
import { compilerMessages, entryName, holdCompiler } from '../runtime/bundle-compile.ts';
import { dependencyFolders } from '../runtime/bundler.ts';
import { syntaxProblems } from './script-syntax.ts';

export interface CodeCheck {
  skill: string;
  /** Real path of the package. */
  directory: string;
  files: readonly ToolFile[];
  /** Where interpreters are looked for; without it no script is parsed. */
  env: Environment | undefined;
}

export interface CodeFindings {
  errors: SkillFinding[];
  warnings: SkillFinding[];
}

const longestBuildMs = 60_000;
const nodeScript = /^\.[cm]?[jt]s$/i;

export async function checkCode({ skill, directory, files, env }: CodeCheck): Promise<CodeFindings> {
  const inPackage = (path: string): string => relative(directory, path).split(sep).join('/');
  const built = files.filter(each => each.kind === 'module' || nodeScript.test(extname(each.path)));
  const scripts = new Set(files.filter(each => each.kind === 'script').map(each => inPackage(each.path)));
  const [code, syntax] = await Promise.all([
    built.length === 0 ? { errors: [], warnings: [] } : checkBuild(skill, directory, built),
    env ? syntaxProblems(directory, [...scripts], env) : { problems: [], unchecked: [] },
  ]);
  const unseen = syntax.unchecked.map(({ files: names, reason }) => ({
    reason_code: 'syntax_not_checked',
    message: `${names.join(', ')}: not parsed, because ${reason}`,
    suggested_fix: 'Validate where it can be parsed, or try the tools.',
    ...(names.length === 1 && { file: names[0] }),
  }));
  const broken = syntax.problems.map(({ file, line, message }) => finding('syntax_error', message, { file, line }));
  return { errors: [...code.errors, ...broken], warnings: [...code.warnings, ...unseen] };
}

async function checkBuild(skill: string, directory: string, files: readonly ToolFile[]): Promise<CodeFindings> {
  // A line for each tool: the compiler names the one whose file lacks what is asked of it.
  const lines = files.map(({ path, kind }, index) =>
    kind === 'module'
      ? `export { default as tool${index} } from ${JSON.stringify(path)};`
      : `import ${JSON.stringify(path)};`,
  );
  const told = (message: Message): SkillFinding[] => {
    const { location } = message;
    const text = message.text.replaceAll(directory + sep, '').replaceAll(directory, '.');
    if (!location) return [finding('build_failed', text)];
    if (location.file !== entryName) {
      const file = relative(directory, resolve(directory, location.file)).split(sep).join('/');
      return /(?:^|\/)node_modules\//.test(file) ? [] : [finding('build_failed', text, { file, line: location.line })];
    }
    const of = files[location.line - 1];
    const file = of && relative(directory, of.path).split(sep).join('/');
    const missing = /^No matching export .* for import "default"/.test(text);
    return [finding('build_failed', missing ? noTool : text, { file, line: file && missing ? 1 : undefined })];
  };
  const release = holdCompiler();
  try {
    const request = { skill, directory, contents: lines.join('\n'), nodePaths: dependencyFolders() };
    const { errors, warnings } = await compilerMessages({ ...request, timeoutMs: longestBuildMs });
    return { errors: errors.flatMap(told), warnings: warnings.flatMap(told) };
  } catch (error) {
    return { errors: [finding('build_failed', messageOf(error))], warnings: [] };
  } finally {
    await release();
  }
}

const noTool = 'it must have a function as its default export: export default (args, ctx) => ({ success: true })';

function finding(
  reason_code: 'build_failed' | 'syntax_error',
  text: string,
  { file, line }: { file?: string | undefined; line?: number | undefined } = {},
): SkillFinding {
  return {
    reason_code,
    message: text,
    suggested_fix: suggestedFixes[reason_code],
    ...(file !== undefined && { file }),
    ...(file !== undefined && line !== undefined && { line }),
  };
}

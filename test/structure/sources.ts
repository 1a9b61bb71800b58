/** The project's source files and their imports, read with the TypeScript parser. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, relative, sep } from 'node:path';
import ts from 'typescript';
import { packageRoot } from '../../kernel/index.ts';

export interface Import {
  specifier: string;
  /** Path from the package root for relative imports. */
  target: string | undefined;
  typeOnly: boolean;
  /** `import()` in an expression, or the source of a thread. */
  dynamic: boolean;
}

export interface Source {
  /** Path from the package root, with forward slashes. */
  path: string;
  text: string;
  lines: number;
  imports: Import[];
}

/** Every TypeScript file, with JSX or without, below `rooms`, fixtures left out. */
export function sources(...rooms: string[]): Source[] {
  return rooms.flatMap(room =>
    readdirSync(join(packageRoot, room), { recursive: true, encoding: 'utf8' })
      .filter(each => /\.tsx?$/.test(each) && !each.includes('fixtures') && !each.includes('node_modules'))
      .map(each => source(posix.join(room, each.split(sep).join('/')))),
  );
}

const known = new Map<string, Source>();

/** Read once, and parsed only for who asks for its imports. */
function source(path: string): Source {
  let found = known.get(path);
  if (found === undefined) {
    const text = readFileSync(join(packageRoot, path), 'utf8');
    let imports: Import[] | undefined;
    found = {
      path,
      text,
      lines: text.split('\n').length - 1,
      get imports() {
        imports ??= importsOf(path, text);
        return imports;
      },
    };
    known.set(path, found);
  }
  return found;
}

function importsOf(path: string, text: string): Import[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, true);
  const imports: Import[] = [];
  const add = (specifier: ts.Node | undefined, typeOnly: boolean, dynamic: boolean): void => {
    if (!specifier || !ts.isStringLiteralLike(specifier)) return;
    const own = specifier.text.startsWith('.');
    const target = own ? posix.normalize(posix.join(posix.dirname(path), specifier.text)) : undefined;
    imports.push({ specifier: specifier.text, target, typeOnly, dynamic });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) {
      const bindings = node.importClause?.namedBindings;
      const named = bindings && ts.isNamedImports(bindings) && !node.importClause?.name ? bindings.elements : undefined;
      const everyType = named !== undefined && named.length > 0 && named.every(each => each.isTypeOnly);
      add(node.moduleSpecifier, (node.importClause?.isTypeOnly ?? false) || everyType, false);
    } else if (ts.isExportDeclaration(node)) {
      const named = node.exportClause && ts.isNamedExports(node.exportClause) ? node.exportClause.elements : undefined;
      add(node.moduleSpecifier, node.isTypeOnly || (named?.every(each => each.isTypeOnly) ?? false), false);
    } else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
      add(node.argument.literal, true, false);
    } else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      add(node.arguments[0], false, true);
    } else if (ts.isCallExpression(node) && node.expression.getText(file) === 'threadEntry') {
      const [, entry] = node.arguments;
      // From the package's root; a thread that begins with the file that starts it is no circle of files.
      if (entry && ts.isStringLiteralLike(entry) && entry.text !== path) {
        imports.push({ specifier: `./${entry.text}`, target: entry.text, typeOnly: false, dynamic: true });
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return imports;
}

export interface FunctionLength {
  /** `path:line name`. */
  at: string;
  lines: number;
  /** Lines without what stands inside nested functions. */
  own: number;
}

/** Every function of a file with its length. */
export function functionsOf({ path, text }: Source): FunctionLength[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, true);
  const found: FunctionLength[] = [];
  const lineOf = (position: number): number => file.getLineAndCharacterOfPosition(position).line + 1;
  const visit = (node: ts.Node, outer: FunctionLength | undefined): void => {
    let here = outer;
    if (ts.isFunctionLike(node) && 'body' in node && node.body) {
      const first = lineOf(node.getStart());
      const lines = lineOf(node.end) - first + 1;
      const name = (node.name ?? (node.parent as { name?: ts.Node }).name)?.getText() ?? 'function';
      here = { at: `${path}:${first} ${name}`, lines, own: lines };
      found.push(here);
      if (outer) outer.own -= Math.max(0, lines - 2);
    }
    ts.forEachChild(node, child => visit(child, here));
  };
  visit(file, undefined);
  return found;
}

/** Every folder below plugins/ whose index.ts defines a plugin, by path from the package root, deepest first. */
export function pluginFolders(): string[] {
  return sources('plugins')
    .filter(each => each.path.endsWith('/index.ts') && /\bdefinePlugin\(/.test(each.text))
    .map(each => posix.dirname(each.path))
    .sort((a, b) => b.length - a.length);
}

/** The nearest of `folders` that holds `path`. */
export const roomOf = (path: string, folders: readonly string[]): string | undefined =>
  folders.find(folder => path.startsWith(`${folder}/`));

/** Folder of a path from the package root. */
export const folderOf = (path: string): string => relative('.', dirname(path)).split(sep).join('/');

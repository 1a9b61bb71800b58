/** Tokens of the settings and of a file: the file is read again when it changes, so tokens come and go without a restart. */
import { readFile, stat } from 'node:fs/promises';
import { Type } from 'typebox';
import { parse } from 'yaml';
import { type JsonSchema, type Logger, messageOf, type Schemas, summary } from '../../kernel/index.ts';
import { onRewritten } from '../../schemas/rewritten.ts';
import { type TokenEntry, TokenEntrySchema } from '../../schemas/tokens.ts';
import { guardErrors } from './errors.ts';
import { createTokens, type Tokens } from './tokens.ts';

const largestFile = 1_048_576;
const FileSchema = Type.Array(TokenEntrySchema);

export interface TokenFileDeps {
  file: string;
  /** Of the settings. */
  entries: readonly TokenEntry[];
  schemas: Pick<Schemas, 'compile'>;
  log: Pick<Logger, 'info' | 'error'>;
  /** Told when other tokens hold than before. */
  onChange(): void;
}

/** Rejects with SVC_GUARD_TOKENS_FILE; what is wrong later is logged, and the tokens from before still hold. */
export async function openTokenFile({ file, entries, schemas, log, onChange }: TokenFileDeps) {
  const validate = schemas.compile(FileSchema as unknown as JsonSchema, 'own');
  const read = async (): Promise<Tokens> => {
    try {
      const { size, mode } = await stat(file);
      if (size > largestFile) throw new Error(`it has ${size} bytes: at most ${largestFile} are read`);
      if (process.getuid && (mode & 0o022) !== 0) throw new Error('others may write to it: chmod 600');
      // Not the parser's own message, which quotes what it could not read.
      const found = listIn(await readFile(file, 'utf8'));
      const problems = validate(found);
      if (problems) throw new Error(`it must be a list of tokens: ${summary(problems)}`);
      const more = found as TokenEntry[];
      const open = more.find(each => each.token !== undefined);
      if (open)
        throw new Error(
          `write "sha256" in place of the token of "${open.label}": printf %s <token> | sha256sum makes it`,
        );
      return createTokens([...entries, ...more]);
    } catch (error) {
      throw guardErrors.TOKENS_FILE({ file, reason: messageOf(error) }, error);
    }
  };
  let tokens = await read();
  const again = (): Promise<void> =>
    read().then(
      found => {
        tokens = found;
        onChange();
        log.info({ file, tokens: found.size }, 'the tokens were read again: those of now hold');
      },
      error => log.error({ file }, `${messageOf(error)}; those from before still hold`),
    );
  return { find: (token: string) => tokens.find(token), close: onRewritten(file, again) };
}

function listIn(text: string): unknown {
  try {
    return parse(text, { prettyErrors: false }) ?? [];
  } catch {
    throw new Error('it is neither JSON nor YAML');
  }
}

/** Rows of the error table that the storage plugin owns: a database that cannot be used, and what to do about it. */
import { defineErrors } from '../../kernel/index.ts';
import { alike } from '../../schemas/error-rows.ts';

export const storageErrors = defineErrors('SVC_STORAGE', {
  ...alike([null, 409], {
    IN_USE:
      'The database {path} is in use by another process (it holds {lock}): stop that process, or give this one a path of its own',
  }),
  ...alike([null, 400], {
    IS_DIRECTORY: 'The database path {path} is a directory: name a file, for example {example}',
    UNWRITABLE: 'The database {path} cannot be written ({reason}): choose a path that this user may create and write',
    CORRUPT:
      'The file {path} is not a sound SQLite database ({reason}): it was left as it is. Move it away or restore a copy, then start again',
    FOREIGN: 'The database {path} belongs to another program: it was left as it is. Choose another path',
    NEWER:
      'The database {path} was made by a newer version (it has "{migration}"): it was left as it is. Update this server or choose another path',
  }),
  ...alike([null, 500], {
    MIGRATION: 'The database {path} could not be brought up to date: {reason}',
    NOT_BUILT:
      'Persistent storage is not available, better-sqlite3 did not load ({reason}): install it, allow its install script and run npm rebuild better-sqlite3, or unset the path',
  }),
});

/** Rows of the error table that the storage plugin owns: a database that cannot be used, and what to do about it. */
import { defineErrors } from '../../kernel/index.ts';

export const storageErrors = defineErrors('SVC_STORAGE', {
  IN_USE: {
    rpc: null,
    http: 409,
    template:
      'The database {path} is in use by another process (it holds {lock}): stop that process, or give this one a path of its own',
  },
  IS_DIRECTORY: {
    rpc: null,
    http: 400,
    template: 'The database path {path} is a directory: name a file, for example {example}',
  },
  UNWRITABLE: {
    rpc: null,
    http: 400,
    template: 'The database {path} cannot be written ({reason}): choose a path that this user may create and write',
  },
  CORRUPT: {
    rpc: null,
    http: 400,
    template:
      'The file {path} is not a sound SQLite database ({reason}): it was left as it is. Move it away or restore a copy, then start again',
  },
  FOREIGN: {
    rpc: null,
    http: 400,
    template: 'The database {path} belongs to another program: it was left as it is. Choose another path',
  },
  NEWER: {
    rpc: null,
    http: 400,
    template:
      'The database {path} was made by a newer version (it has "{migration}"): it was left as it is. Update this server or choose another path',
  },
  MIGRATION: { rpc: null, http: 500, template: 'The database {path} could not be brought up to date: {reason}' },
  NOT_BUILT: {
    rpc: null,
    http: 500,
    template:
      'Persistent storage is not available, better-sqlite3 did not load ({reason}): install it, allow its install script and run npm rebuild better-sqlite3, or unset the path',
  },
});

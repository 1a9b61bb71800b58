/** Node as a program of its own: what it takes that the program of this process runs as Node. */

/** For children that run `process.execPath`: in Electron that is the application, unless it is told otherwise. */
export const nodeEnvironment: Readonly<Record<string, string>> =
  'electron' in process.versions ? { ELECTRON_RUN_AS_NODE: '1' } : {};

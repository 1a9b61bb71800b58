/** Rows of the error table for the server object: composing, stopping, operations. */
import { defineErrors } from '../errors.ts';

const row = <const T extends string>(http: number, template: T) => ({ rpc: null, http, template });

export const serverErrors = defineErrors('SVC_SERVER', {
  STOPPED: row(503, 'The server was shut down: create a new one'),
  THREAD_FAILED: row(500, 'The server thread ended unexpectedly: {reason}'),
  BOOT_FAILED: row(500, 'The server cannot boot: {reason}'),
  PLUGIN_UNKNOWN: row(
    400,
    'Plugin "{plugin}" is not known: give a built-in name ({known}), a package, an absolute path or a file URL',
  ),
  PLUGIN_UNLOADABLE: row(400, 'Plugin "{plugin}" cannot be loaded: {reason}'),
  PLUGIN_INVALID: row(
    400,
    'Module "{plugin}" exports no plugin: export what definePlugin returns, as default or as "plugin"',
  ),
  PLUGIN_BUILT_IN: row(
    400,
    'Plugin "{plugin}" is built in and takes true or false here: its settings are options beside `plugins`',
  ),
  PLUGIN_DUPLICATE: row(400, 'Two plugins are named "{plugin}": switch one of them off'),
  PLUGIN_NEEDED: row(
    400,
    'Plugin "{plugin}" needs "{needed}", which is not enabled: enable it, or switch "{plugin}" off too',
  ),
  PLUGIN_CYCLE: row(400, 'Plugins depend on each other in a cycle: {cycle}'),
  PLUGIN_OBJECT: row(
    400,
    'A plugin object cannot cross to the server thread: name its module in `plugins`, or use spawn_mode ambient',
  ),
  FEATURE_OFF: row(404, 'Operation {operation} needs the plugin "{plugin}", which is off'),
  OPERATION_UNKNOWN: row(
    404,
    'No operation is named "{operation}": enable the plugin that brings it, or use one of {known}',
  ),
  OPERATION_DUPLICATE: row(409, 'Two plugins bring the operation "{operation}": one must name it otherwise'),
  NO_HOST: row(404, 'No host embeds this server: nobody answers "{question}"'),
  INVALID_ARGUMENT: row(400, '{problem}'),
});

/** Rows of the error table for the server object: starting, stopping, composing. */
import { defineErrors } from '../kernel/light.ts';

export const serverErrors = defineErrors('SVC_SERVER', {
  PORT_IN_USE: {
    rpc: null,
    http: 409,
    template: 'Address {address} is in use: choose another port, or 0 for a free one',
  },
  LISTEN_FORBIDDEN: {
    rpc: null,
    http: 403,
    template: 'Not allowed to listen on {address}: choose a port of 1024 or above',
  },
  ADDRESS_UNAVAILABLE: { rpc: null, http: 400, template: 'This machine has no address {host}: choose another host' },
  LISTEN_FAILED: { rpc: null, http: 500, template: 'Cannot listen on {address}: {reason}' },
  STOPPED: { rpc: null, http: 503, template: 'The server was shut down: create a new one' },
  THREAD_FAILED: { rpc: null, http: 500, template: 'The server thread ended unexpectedly: {reason}' },
  BOOT_FAILED: { rpc: null, http: 500, template: 'The server cannot boot: {reason}' },
  PLUGIN_UNKNOWN: {
    rpc: null,
    http: 400,
    template:
      'Plugin "{plugin}" is not known: give a built-in name ({known}), a package, an absolute path or a file URL',
  },
  PLUGIN_UNLOADABLE: { rpc: null, http: 400, template: 'Plugin "{plugin}" cannot be loaded: {reason}' },
  PLUGIN_INVALID: {
    rpc: null,
    http: 400,
    template: 'Module "{plugin}" exports no plugin: export what definePlugin returns, as default or as "plugin"',
  },
  PLUGIN_DUPLICATE: { rpc: null, http: 400, template: 'Two plugins are named "{plugin}": switch one of them off' },
  PLUGIN_NEEDED: {
    rpc: null,
    http: 400,
    template: 'Plugin "{plugin}" needs "{needed}", which is not enabled: enable it, or switch "{plugin}" off too',
  },
  PLUGIN_CYCLE: { rpc: null, http: 400, template: 'Plugins depend on each other in a cycle: {cycle}' },
  PLUGIN_BUILT_IN: {
    rpc: null,
    http: 400,
    template: 'Plugin "{plugin}" is built in and takes true or false here: its settings are options beside `plugins`',
  },
  PLUGIN_OBJECT: {
    rpc: null,
    http: 400,
    template:
      'A plugin object cannot cross to the server thread: name its module in `plugins`, or use spawn_mode ambient',
  },
  FEATURE_OFF: { rpc: null, http: 404, template: 'Operation {operation} needs the plugin "{plugin}", which is off' },
  NOT_VETOABLE: { rpc: null, http: 400, template: '"{event}" cannot be vetoed: use one of {known}' },
  INVALID_ARGUMENT: { rpc: null, http: 400, template: '{argument} must be {expected}' },
});

/** Rows of the error table for calls into a host over the link. */
import { defineErrors } from '../../kernel/light.ts';
import { alike } from '../../schemas/error-rows.ts';

export const linkErrors = defineErrors('SVC_HOST_LINK', {
  ...alike([-32002, 503, 'host-busy'], {
    BUSY: 'The host is busy: {limit} calls wait for it already. Try again later',
  }),
  ...alike([-32002, 502, 'backend-error'], {
    LOST: 'The host is gone ({reason}): {state}',
    LATE: 'The host did not answer in time: {state}',
    GONE: 'The host does not have it any more: {reason}',
    FAILED: '{reason}{at}',
    RESULT_UNSENDABLE: 'The call has run, but {reason}',
    TOO_LARGE: 'The arguments are {size} bytes long, the link to the host carries {limit}: pass a path instead',
  }),
  CANCELLED: { rpc: -32002, http: 499, template: 'The call was cancelled: {state}' },
});

export const installErrors = defineErrors('SVC_HOST_INSTALL', {
  NO_APPLICATION: {
    ...{ rpc: null, http: 404 },
    template:
      'No folder of a {kind} of this user was found: start it once, or name the folder of its add-ons with --to',
  },
  NO_FOLDER: {
    rpc: null,
    http: 400,
    template: 'Where to put the module of a {kind} host is not known: name it with --to, or a wheel with --zip',
  },
});

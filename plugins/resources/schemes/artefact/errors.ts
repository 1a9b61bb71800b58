/** Rows of the error table for artefacts. */
import { defineErrors } from '../../../../kernel/index.ts';

export const artefactErrors = defineErrors('SVC_ARTEFACT', {
  BAD_URI: {
    rpc: -32602,
    http: 400,
    template: 'Invalid artefact URI {uri}: it must be artefact://sha256/ and 64 lower-case hexadecimal digits',
  },
  NOT_STORED: {
    rpc: -32002,
    sessionless: -32602,
    http: 404,
    template: 'No artefact {uri} is stored: it may have expired',
  },
  TOO_LARGE: {
    rpc: -32603,
    http: 507,
    template: 'Artefact {uri} has {bytes} bytes, which base64 makes longer than {limit}: read it from its file instead',
  },
  BAD_INFO: { rpc: -32602, http: 400, template: 'The description of an artefact is wrong: {reason}' },
  UNREADABLE: { rpc: -32602, http: 400, template: 'The file of an artefact cannot be read: {reason}' },
});

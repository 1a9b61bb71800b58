/** Rows of the error table for artefacts. */
import { defineErrors } from '../../../../kernel/index.ts';
import { alike } from '../../../../schemas/error-rows.ts';

export const artefactErrors = defineErrors('SVC_ARTEFACT', {
  ...alike([-32602, 400], {
    BAD_URI: 'Invalid artefact URI {uri}: it must be artefact://sha256/ and 64 lower-case hexadecimal digits',
    BAD_INFO: 'The description of an artefact is wrong: {reason}',
    UNREADABLE: 'The file of an artefact cannot be read: {reason}',
  }),
  NOT_STORED: {
    ...{ rpc: -32002, session: -32002, sessionless: -32602, http: 404 },
    template: 'No artefact {uri} is stored: it may have expired',
  },
  ...alike([-32603, 507], {
    TOO_LARGE:
      'Artefact {uri} has {bytes} bytes, which base64 makes longer than {limit}: read it from its file instead',
  }),
});

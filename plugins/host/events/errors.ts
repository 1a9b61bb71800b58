/** Rows of the error table for the event bus as the host uses it. */
import { defineErrors } from '../../../kernel/light.ts';

export const eventErrors = defineErrors('SVC_SERVER', {
  NOT_VETOABLE: { rpc: null, http: 400, template: '"{event}" cannot be vetoed: use one of {known}' },
  EVENT_RESERVED: {
    ...{ rpc: null, http: 400 },
    template: '"{event}" is an event that only the server tells: use a family of your own, such as "studio.{event}"',
  },
});

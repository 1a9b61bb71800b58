/** Rows of the error table for the gateway's own refusals; kinds are words of the published API (shape:envelope). */
import { defineErrors } from '../../kernel/index.ts';
import { alike } from '../../schemas/error-rows.ts';

export const gatewayErrors = defineErrors('SVC_GATEWAY', {
  BAD_REQUEST: { rpc: -32602, http: 400, kind: 'bad-request', template: 'Bad request: {reason}' },
  ...alike([-32602, 400, 'bad-request'], {
    BARE_NAME: '"{tool_slug}" is the name of a tool, which is called by its slug: {shown}',
  }),
  TOOL_NOT_FOUND: {
    ...{ rpc: -32000, session: -32602, http: 404, kind: 'unknown-slug' },
    template:
      'The gateway has no tool "{tool}": it has search, describe, load_skill and call. Tools of instances are called through call with a tool_slug from search{hint}',
  },
  ...alike([-32002, 409, 'skill-not-loaded'], {
    SKILL_NOT_LOADED: '"{slug}" belongs to the skill "{skill}", which is not loaded: send next_step, then call again',
    GROUP_INACTIVE: '"{slug}" is in the tool group "{group}", which is not active: send next_step, then call again',
  }),
  ...alike([-32002, 502, 'schema-unavailable'], {
    SCHEMA_UNAVAILABLE: 'The instance does not give the schema of "{slug}": {reason}',
    BACKEND_NO_SCHEMA: '{where}: {reason}',
  }),
  ...alike([-32002, 403, 'policy-denied'], {
    POLICY_DENIED: '{operation} is not allowed: {reason}',
    BACKEND_DENIED: '{reason}',
  }),
  ...alike([-32002, 409, 'instance-leased'], {
    LEASED: 'Instance {instance} is leased to somebody else: send their meta.lease_owner, or wait for the lease to end',
  }),
  ...alike([-32002, 409, 'instance-leased'], {
    NONE_IDLE: 'No instance of {dcc_type} is idle: each of the {count} is leased or busy. Try again when one is free',
  }),
  ...alike([-32002, 409, 'ambiguous'], {
    SEVERAL_LEASED: '"{owner}" holds {count} instances: name one by instance_id, of {shown}',
  }),
  ...alike([-32002, 409, 'lease-owner-mismatch'], {
    NO_LEASE: '"{given}" holds no such lease: acquire the instance first',
    LEASE_OWNER:
      'Instance {instance} is leased, and not to "{given}": meta.lease_owner must be the holder of the lease',
  }),
  ...alike([-32002, 400, 'no-discovery-endpoint'], {
    NO_DISCOVERY:
      'Instance {instance} has no endpoint for skills (its discovery_mcp_url is empty): name another instance of ' +
      '{dcc_type} with instance_id, or call the tools that it lists',
    BACKEND_NO_DISCOVERY: '{where}: {reason}',
  }),
  ...alike([-32002, 400, 'skill-not-found'], {
    SKILL_NOT_FOUND: 'Skill "{skill}" is not known to {where}: {reason}',
  }),
  SKILL_LOADED: { rpc: -32002, http: 400, kind: 'skill-already-loaded', template: 'Skill "{skill}": {reason}' },
  GROUP_NOT_FOUND: { rpc: -32002, http: 400, kind: 'group-not-found', template: 'Tool group "{group}": {reason}' },
  BACKEND_AMBIGUOUS: { rpc: -32002, http: 400, kind: 'ambiguous-instance', template: '{where}: {reason}' },
  TOLD_SKILL_NOT_FOUND: { rpc: -32002, http: 502, kind: 'skill-not-found', template: '{where}: {reason}' },
  TOLD_SKILL_LOADED: { rpc: -32002, http: 502, kind: 'skill-already-loaded', template: '{where}: {reason}' },
  TOLD_GROUP_NOT_FOUND: { rpc: -32002, http: 502, kind: 'group-not-found', template: '{where}: {reason}' },
  TOLD_AMBIGUOUS: { rpc: -32002, http: 502, kind: 'ambiguous-instance', template: '{where}: {reason}' },
  TOLD_OFFLINE: { rpc: -32002, http: 502, kind: 'instance-offline', template: '{where}: {reason}' },
  ...alike([-32002, 409, 'ambiguous'], {
    SEVERAL_HAVE: '"{tool}" is a tool of each of {count} instances: call one of {shown}',
  }),
  ...alike([-32002, 502, 'backend-error'], {
    BACKEND: 'Instance {instance} answered with an error: {reason}',
  }),
  TOOL_FAILED: { rpc: -32002, http: 502, kind: 'tool-error', template: '{reason}' },
  BACKEND_ARGUMENTS: { rpc: -32001, http: 400, kind: 'invalid-params', template: '{reason}' },
  BACKEND_BUSY: { rpc: -32002, http: 503, kind: 'host-busy', template: 'Instance {instance} is busy: {reason}' },
  ...alike([-32005, 429, 'throttled'], {
    THROTTLED: 'Instance {instance} takes no more for now: {reason}',
  }),
  BACKEND_AFFINITY: { rpc: -32002, http: 400, kind: 'affinity-violation', template: '{reason}' },
  BACKEND_THREAD: { rpc: -32002, http: 400, kind: 'thread-affinity-violation', template: '{reason}' },
  HOST_DIED: { rpc: -32000, http: 502, kind: 'host-died', template: 'The host of instance {instance} died: {reason}' },
  ...alike([-32000, 502, 'backend-error'], {
    JOB_LOST: 'Waiting for job {job_id} of instance {instance} failed: {reason}',
  }),
});

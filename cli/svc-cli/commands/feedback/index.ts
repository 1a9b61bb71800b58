/** `svc-cli feedback`: reports what stood in the way. */
import { randomUUID } from 'node:crypto';
import { Flags } from '@oclif/core';
import { FINDING_V1_SCHEMA_VERSION } from '../../../../schemas/finding-version.ts';
import { isUuid, type Json, objectOf } from '../../../../schemas/loose.ts';
import { cliErrors } from '../../../errors.ts';
import { GatewayCommand } from '../../base.ts';

const given = (description: string, helpValue: string) => Flags.string({ description, helpValue });

export class Feedback extends GatewayCommand {
  static override summary = 'Report what stood in the way';
  static override description =
    'Sends a report to the gateway, which keeps it; it opens no issue anywhere. Without a gateway nothing is kept, and the command fails.';
  static override examples = [
    '<%= config.bin %> feedback --tool-name create_sphere --intent "make a sphere" --blocker "radius is ignored"',
    '<%= config.bin %> feedback --tool-name export --intent "export" --blocker "slow" --severity suggestion --dcc-type maya --json',
  ];
  static override flags = {
    'tool-name': Flags.string({ description: 'the tool that it is about', helpValue: '<name>', required: true }),
    intent: Flags.string({ description: 'what was to be done', helpValue: '<text>', required: true }),
    attempt: given('what was tried', '<text>'),
    blocker: Flags.string({ description: 'what stood in the way', helpValue: '<text>', required: true }),
    severity: Flags.string({
      description: 'how bad it is',
      options: ['blocked', 'workaround_found', 'suggestion'],
      default: 'blocked',
    }),
    'dcc-type': given('host type', '<type>'),
    'instance-id': given('the instance that was asked', '<id>'),
    'request-id': given('id of the request that failed', '<id>'),
    'job-id': given('id of the job that failed', '<id>'),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(Feedback);
    const { json: _, output: __, gateway: address, ...told } = flags;
    const body = Object.fromEntries(Object.entries(told).map(([name, value]) => [name.replaceAll('-', '_'), value]));
    const gateway = await this.gateway(address);
    const requestId = randomUUID();
    let returned: unknown;
    const receipt = objectOf(
      await gateway.ask('POST', '/v1/feedback', {
        body,
        headers: { 'x-request-id': requestId },
        onAnswer: answer => {
          returned = answer.headers['x-request-id'];
        },
      }),
    );
    const reason = returned === requestId ? problemOf(receipt) : 'it belongs to another request';
    if (reason !== undefined) throw cliErrors.RECEIPT_INVALID({ url: gateway.url, reason });
    this.show({ value: receipt, text: () => `reported as ${String(receipt.feedback_id)}` });
  }
}

function problemOf({ ok, feedback_id, schema_version, fingerprint }: Json): string | undefined {
  if (ok !== true) return '"ok" is not true';
  if (!isUuid(String(feedback_id))) return '"feedback_id" is none';
  if (schema_version !== FINDING_V1_SCHEMA_VERSION) return '"schema_version" is another';
  return /^sha256:[0-9a-f]{64}$/.test(String(fingerprint)) ? undefined : '"fingerprint" is none';
}

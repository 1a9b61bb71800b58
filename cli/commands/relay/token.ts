/** `svc-server relay token`: a token by which a tunnel is let in. */
import * as Flags from '@oclif/core/flags';
import { issueTunnelToken, makeRelayKey } from '../../../plugins/index.ts';
import { SvcCommand } from '../../base.ts';
import { commandConfig, shortFlags } from '../../flags.ts';
import { relayKey, settings, tokenShort } from '../../relay-flags.ts';

export class RelayToken extends SvcCommand {
  static override summary = 'Make a token for a tunnel';
  static override description =
    'Signs a token with the secret of the relay, and prints it: keep it in a file that only the tunnel may read. The relay asks for nothing but the signature, so there is no list of tokens; another secret makes all of them worthless.';
  static override examples = [
    '<%= config.bin %> relay token --subject studio-a --dcc maya --dcc houdini --days 30 > studio-a.token',
  ];
  static override flags = {
    ...shortFlags(settings, tokenShort, []),
    subject: Flags.string({ description: 'whose token it is (`sub`)', helpValue: '<name>', required: true }),
    dcc: Flags.string({
      description: 'a host type that its tunnels may be of; none means all',
      helpValue: '<type>',
      multiple: true,
      multipleNonGreedy: true,
    }),
    days: Flags.integer({ description: 'how long it is valid', default: 30, min: 1, max: 3650 }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(RelayToken);
    const { relay_key_file, relay_issuer: issuer } = await commandConfig(
      flags,
      process.env,
      settings,
      undefined,
      tokenShort,
    );
    const keyFile = await relayKey(relay_key_file, makeRelayKey);
    const { subject, dcc: allowed = [], days } = flags;
    const token = await issueTunnelToken({ keyFile, subject, allowed, days, issuer });
    this.print(flags.json ? JSON.stringify({ token, subject, allowed_dcc: allowed, days }) : token);
  }
}

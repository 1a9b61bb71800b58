/** `svc-server version`: of the package, of Node and of the system. */
import { packageVersion } from '../../kernel/light.ts';
import { SvcCommand } from '../base.ts';

export class Version extends SvcCommand {
  static override summary = 'Show the version';
  static override description = 'Of the package that is installed; what runs is shown by svc-server status.';
  static override examples = ['<%= config.bin %> version', '<%= config.bin %> version --json'];

  async run(): Promise<void> {
    const { flags } = await this.parse(Version);
    const { platform, arch, version: node } = process;
    if (flags.json) this.print(JSON.stringify({ version: packageVersion, node, platform, arch }));
    else this.print(this.config.userAgent);
  }
}

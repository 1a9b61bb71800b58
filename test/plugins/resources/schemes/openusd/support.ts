/** A real OpenUSD project on disk, served by a real endpoint. */
import { mkdir, realpath, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ServerOptions } from '../../../../../plugins/index.ts';
import type { UsdProject } from '../../../../../plugins/resources/schemes/openusd/api.ts';
import { schemeOpenusdPlugin } from '../../../../../plugins/resources/schemes/openusd/index.ts';
import { tempDir } from '../../../../helper.ts';
import type { Json } from '../../../../spec/wire.ts';
import { readJson, resourceServer } from '../../support.ts';

export const texts: Readonly<Record<string, string>> = {
  'shot.usda': `#usda 1.0
(
    doc = """Not a layer: @nowhere/doc.usda@ """
    subLayers = [
        @./layers/light.usda@ (offset = 10),
        # @layers/commented.usda@
        @layers/anim.usda@
    ]
)
def Xform "World" (
    prepend references = @assets/chair/chair.usda:SDF_FORMAT_ARGS:a=b@</Chair>
    append payload = [@@@assets/odd@name.usdc@@@, @assets/pack.usdz[inner.usda]@]
    assetInfo = { asset identifier = @assets/self.usda@ }
) {
    string note = "an \\"escaped\\" @assets/string.usda@"
    asset inputs:file = @@
    float3[] points = [(1, 2e-5, -3), (4.5, 5, 6)]
    variantSet "look" = { "red" { over "X" ( references = @./variants/red.usda@ ) { } } }
}
`,
  'layers/light.usda': '#usda 1.0\n( subLayers = [@../shot.usda@, @anim.usda@] )\n',
  'layers/anim.usda': '#usda 1.0\n',
  'assets/chair/chair.usda': `#usda 1.0
def Shader "S" {
    asset inputs:file = @./tex/wood.png@ ( colorSpace = "raw" )
    asset inputs:tiles = @tex/skin.<UDIM>.exr@
    asset inputs:gone = @tex/gone.png@
}
`,
  'assets/chair/tex/skin.1001.exr': 'a',
  'assets/chair/tex/skin.1002.exr': 'b',
  'assets/chair/tex/skin.x.exr': 'c',
  'variants/red.usda': '#usda 1.0\n',
};

/** Writes files below a fresh folder; resolves with its real path. */
export async function folderOf(files: Readonly<Record<string, string | Uint8Array>>): Promise<string> {
  const folder = await realpath(await tempDir());
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }
  return folder;
}

export const crate = Buffer.concat([Buffer.from('PXR-USDC'), Buffer.from([0, 8, 255, 254])]);
export const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff]);

/** The project of `texts`, with a crate, a picture and a package. */
export const sampleProject = (): Promise<string> =>
  folderOf({ ...texts, 'assets/odd@name.usdc': crate, 'assets/pack.usdz': 'PK', 'assets/chair/tex/wood.png': png });

/** An endpoint that serves `project`, with a session. */
export async function served(project: UsdProject, options: ServerOptions = {}) {
  const { app, connect } = await resourceServer([], options, [schemeOpenusdPlugin]);
  const remove = await app.schemeOpenusd.register(project);
  return { app, remove, wire: await connect() };
}

export type Entries = (Json & { name: string; uri: string; metadata: Json })[];

/** The entries of a family's manifest. */
export async function entriesOf(wire: Parameters<typeof readJson>[0], family: string): Promise<Entries> {
  return (await readJson(wire, `openusd://${family}`)).resources as Entries;
}

export const link = (target: string, path: string): Promise<void> => symlink(target, path);

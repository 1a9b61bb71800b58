/** The bundled index of public adapter packages (specification: Gateway-native resources; shape:catalog). Pure. */

export interface CatalogEntry {
  name: string;
  description: string;
  dcc: readonly string[];
  targets: readonly string[];
  tags: readonly string[];
  category: string;
  install?: { type: string; pip_package: string };
  /** Where issues of the package are filed; none for what has no public tracker. */
  issues_url?: string;
}

/** Host type, the name people know it by, what it is for. */
const hosts: readonly (readonly [dcc: string, title: string, tags: string])[] = [
  ['maya', 'Autodesk Maya', '3d modeling rigging animation'],
  ['blender', 'Blender', '3d modeling animation rendering'],
  ['houdini', 'SideFX Houdini', '3d procedural effects simulation'],
  ['3dsmax', 'Autodesk 3ds Max', '3d modeling visualization'],
  ['photoshop', 'Adobe Photoshop', '2d image painting'],
  ['nuke', 'Foundry Nuke', 'compositing'],
  ['unreal', 'Unreal Engine', 'game-engine realtime'],
  ['zbrush', 'Maxon ZBrush', '3d sculpting'],
  ['premiere', 'Adobe Premiere Pro', 'video editing'],
  ['aftereffects', 'Adobe After Effects', 'motion-graphics compositing'],
  ['illustrator', 'Adobe Illustrator', '2d vector'],
  ['gimp', 'GIMP', '2d image painting'],
  ['krita', 'Krita', '2d painting'],
  ['katana', 'Foundry Katana', 'lighting look-development'],
  ['mobu', 'Autodesk MotionBuilder', 'animation motion-capture'],
  ['renderdoc', 'RenderDoc', 'graphics-debugging'],
  ['substance3d-designer', 'Adobe Substance 3D Designer', 'materials texturing procedural'],
  ['substance3d-painter', 'Adobe Substance 3D Painter', 'texturing painting'],
  ['godot', 'Godot Engine', 'game-engine realtime'],
  ['unity', 'Unity', 'game-engine realtime'],
  ['marmoset', 'Marmoset Toolbag', 'rendering baking'],
  ['openscad', 'OpenSCAD', 'cad parametric'],
  ['freecad', 'FreeCAD', 'cad parametric'],
  ['cinema4d', 'Maxon Cinema 4D', '3d motion-graphics'],
  ['comfyui', 'ComfyUI', 'image-generation'],
  ['mari', 'Foundry Mari', 'texturing painting'],
  ['sketchup', 'SketchUp', '3d architecture'],
  ['touchdesigner', 'TouchDesigner', 'realtime interactive'],
  ['shogun', 'Vicon Shogun', 'motion-capture'],
  ['tiled', 'Tiled', '2d level-design'],
  ['material-maker', 'Material Maker', 'materials procedural'],
  ['wwise', 'Audiokinetic Wwise', 'audio'],
  ['fpt', 'Flow Production Tracking', 'production-tracking'],
  ['openusd', 'OpenUSD', 'scene-description pipeline'],
];

/** A package of the organisation: how it is installed, and where its issues go. */
const published = (name: string) => ({
  install: { type: 'pip', pip_package: name },
  issues_url: `https://github.com/dcc-mcp/${name}/issues`,
});

const adapter = ([dcc, title, tags]: (typeof hosts)[number]): CatalogEntry => ({
  name: `dcc-mcp-${dcc}`,
  description: `Adapter that serves the tools of ${title}.`,
  dcc: [dcc],
  targets: [dcc],
  tags: tags.split(' '),
  category: 'adapter',
  ...published(`dcc-mcp-${dcc}`),
});

export const catalog: readonly CatalogEntry[] = [
  {
    name: 'dcc-mcp-core',
    description: 'Foundation library of the adapters: skills, server and gateway.',
    dcc: [],
    targets: [],
    tags: ['core', 'library'],
    category: 'core',
    ...published('dcc-mcp-core'),
  },
  {
    name: 'dcc-mcp-office',
    description: 'Adapter for office applications: documents, sheets and slides.',
    dcc: ['word', 'excel', 'powerpoint'],
    targets: ['word', 'excel', 'powerpoint'],
    tags: ['office', 'documents'],
    category: 'adapter',
    ...published('dcc-mcp-office'),
  },
  {
    name: 'dcc-mcp-powerpoint',
    description: 'Adapter that serves the tools of Microsoft PowerPoint.',
    dcc: ['powerpoint'],
    targets: ['powerpoint'],
    tags: ['office', 'slides', 'presentation'],
    category: 'adapter',
    ...published('dcc-mcp-powerpoint'),
  },
  ...hosts.map(adapter),
  {
    name: 'autodesk-product-help',
    description: 'Remote connector to the product help of Autodesk applications.',
    dcc: ['maya', '3dsmax', 'mobu', 'fpt'],
    targets: ['maya', '3dsmax', 'mobu', 'fpt'],
    tags: ['documentation', 'help', 'remote'],
    category: 'connector',
  },
];

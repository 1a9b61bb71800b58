/** The bundled index of public adapter packages (specification: Gateway-native resources; shape:catalog). */

export interface CatalogEntry {
  name: string;
  description: string;
  dcc: readonly string[];
  targets: readonly string[];
  tags: readonly string[];
  category: string;
  install?: { type: string; pip_package: string };
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

const pip = (name: string) => ({ type: 'pip', pip_package: name });

const adapter = ([dcc, title, tags]: (typeof hosts)[number]): CatalogEntry => ({
  name: `dcc-mcp-${dcc}`,
  description: `Adapter that serves the tools of ${title}.`,
  dcc: [dcc],
  targets: [dcc],
  tags: tags.split(' '),
  category: 'adapter',
  install: pip(`dcc-mcp-${dcc}`),
});

export const catalog: readonly CatalogEntry[] = [
  {
    name: 'dcc-mcp-core',
    description: 'Foundation library of the adapters: skills, server and gateway.',
    dcc: [],
    targets: [],
    tags: ['core', 'library'],
    category: 'core',
    install: pip('dcc-mcp-core'),
  },
  {
    name: 'dcc-mcp-office',
    description: 'Adapter for office applications: documents, sheets and slides.',
    dcc: ['word', 'excel', 'powerpoint'],
    targets: ['word', 'excel', 'powerpoint'],
    tags: ['office', 'documents'],
    category: 'adapter',
    install: pip('dcc-mcp-office'),
  },
  {
    name: 'dcc-mcp-powerpoint',
    description: 'Adapter that serves the tools of Microsoft PowerPoint.',
    dcc: ['powerpoint'],
    targets: ['powerpoint'],
    tags: ['office', 'slides', 'presentation'],
    category: 'adapter',
    install: pip('dcc-mcp-powerpoint'),
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

export function searchCatalog(query: string): readonly CatalogEntry[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return catalog.filter(({ name, description, dcc, tags, category }) => {
    const text = [name, description, ...dcc, ...tags, category].join('\n').toLowerCase();
    return words.every(word => text.includes(word));
  });
}

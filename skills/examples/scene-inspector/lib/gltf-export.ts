/** Writes a scene as one .glb with glTF-Transform. */
import { Document, Logger, WebIO } from '@gltf-transform/core';
import { smoothNormals } from './geometry.ts';
import type { Pause } from './pause.ts';
import type { Scene } from './scene-model.ts';

/** GLB bytes: one node and mesh per mesh of the scene, one primitive per material. */
export async function exportGlb(scene: Scene, pause: Pause): Promise<Uint8Array> {
  const document = new Document().setLogger(new Logger(Logger.Verbosity.SILENT));
  document.getRoot().getAsset().generator = 'svc scene-inspector';
  const buffer = document.createBuffer();
  const root = document.createScene();
  const materials = scene.materials.map(({ name, color: [r, g, b, a] }) =>
    document
      .createMaterial(name)
      .setBaseColorFactor([r, g, b, a])
      .setMetallicFactor(0)
      .setAlphaMode(a < 1 ? 'BLEND' : 'OPAQUE'),
  );
  const meshes = scene.meshNames.map(name => {
    const mesh = document.createMesh(name);
    root.addChild(document.createNode(name).setMesh(mesh));
    return mesh;
  });
  for (const part of scene.geometries) {
    await pause();
    const positions = part.positions.map(value => (Number.isFinite(value) ? value : 0));
    const normals = unitNormals(part.normals ?? (await smoothNormals(part, pause)));
    const small = positions.length / 3 <= 65_535;
    const primitive = document
      .createPrimitive()
      .setAttribute('POSITION', document.createAccessor().setType('VEC3').setArray(positions).setBuffer(buffer))
      .setAttribute('NORMAL', document.createAccessor().setType('VEC3').setArray(normals).setBuffer(buffer))
      .setIndices(
        document
          .createAccessor()
          .setType('SCALAR')
          .setArray(small ? new Uint16Array(part.indices) : new Uint32Array(part.indices))
          .setBuffer(buffer),
      );
    if (part.uvs !== undefined) {
      // OBJ counts v from the bottom of the image, glTF from the top.
      const uvs = part.uvs.map((value, i) => (i % 2 === 1 ? 1 - value : value));
      primitive.setAttribute('TEXCOORD_0', document.createAccessor().setType('VEC2').setArray(uvs).setBuffer(buffer));
    }
    const material = materials[part.material];
    if (material !== undefined) primitive.setMaterial(material);
    meshes[part.mesh]?.addPrimitive(primitive);
  }
  return new WebIO().writeBinary(document);
}

/** glTF demands unit length; where there is no direction, up is as good as any. */
function unitNormals(source: Float32Array): Float32Array<ArrayBuffer> {
  const normals = new Float32Array(source);
  for (let i = 0; i < normals.length; i += 3) {
    const length = Math.hypot(normals[i] ?? 0, normals[i + 1] ?? 0, normals[i + 2] ?? 0);
    if (length > 0 && Number.isFinite(length))
      for (let k = 0; k < 3; k++) normals[i + k] = (normals[i + k] ?? 0) / length;
    else normals.set([0, 1, 0], i);
  }
  return normals;
}

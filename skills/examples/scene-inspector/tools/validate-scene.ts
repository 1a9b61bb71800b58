/** Reports what is wrong with a scene file, worst first. */
import type { SkillContext } from 'svc';
import { answer, succeed } from '../lib/envelope.ts';
import { findProblems } from '../lib/findings.ts';
import { loadScene } from '../lib/load-scene.ts';
import { createPause } from '../lib/pause.ts';
import type { Severity } from '../lib/scene-model.ts';

const maxFindings = 200;

interface Args {
  path?: unknown;
  max_texture_size?: number;
  max_triangles?: number;
}

export default async function validateScene(args: Args, ctx: SkillContext) {
  return answer(async () => {
    const scene = await loadScene(args.path, ctx);
    const limits = { maxTextureSize: args.max_texture_size ?? 4096, maxTriangles: args.max_triangles ?? 1_000_000 };
    const findings = await findProblems(scene, limits, createPause(ctx.signal));
    const count = (severity: Severity): number => findings.filter(item => item.severity === severity).length;
    const totals = { error: count('error'), warning: count('warning'), info: count('info') };
    const verdict = totals.error === 0 ? 'The scene is usable' : 'The scene is not usable as it is';
    return succeed(`${verdict}: ${totals.error} errors, ${totals.warning} warnings, ${totals.info} notes.`, {
      path: scene.path,
      valid: totals.error === 0,
      totals,
      findings: findings.slice(0, maxFindings),
      truncated: findings.length > maxFindings,
    });
  });
}

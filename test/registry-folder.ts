/** Removes the registry that this run's servers wrote to. */
import { rm } from 'node:fs/promises';

export async function teardown(): Promise<void> {
  const folder = process.env.SVC_TEST_REGISTRY;
  if (folder) await rm(folder, { recursive: true, force: true });
}

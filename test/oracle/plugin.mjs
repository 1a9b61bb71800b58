/** The tap as a plugin, for a server that runs in a thread of its own: it writes what it hears for the test's process. */
import fp from 'fastify-plugin';
import { tap, toFolder } from './tap.mjs';

const register = fp(async app => tap(toFolder, [app.server]), { name: 'oracle', fastify: '5.x' });

export const plugin = { name: 'oracle', dependencies: [], register };

#!/usr/bin/env node
/** The program `svc-server`: hands the command line to oclif and exits once. */
import { main } from './main.ts';
import { serverProgram } from './programs.ts';

await main(serverProgram, process.argv.slice(2));

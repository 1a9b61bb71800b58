#!/usr/bin/env node
/** The program `svc-cli`: hands the command line to oclif and exits once. */
import { main } from './main.ts';
import { clientProgram } from './programs.ts';

await main(clientProgram, process.argv.slice(2));

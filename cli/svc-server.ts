#!/usr/bin/env node
/** The program `svc-server`: hands the command line to oclif and exits once. */
import { main } from './main.ts';

await main(process.argv.slice(2));

/** The official SDK 1.x client drives the server. */
import { sdk1 } from './sdk-1.ts';
import { drive } from './suite.ts';

drive(sdk1);

/** The official SDK 1.x client drives the server. */
import { sdk1 } from './sdk-1.ts';
import { story } from './story.ts';
import { drive } from './suite.ts';

drive(sdk1);
story(sdk1);

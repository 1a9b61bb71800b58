/** The official SDK 2.x client drives the server. */
import { sdk2 } from './sdk-2.ts';
import { story } from './story.ts';
import { drive } from './suite.ts';

drive(sdk2);
story(sdk2);

/** What a panel is: one folder, one registration in `panels/index.ts`. */
import type { ComponentType } from 'preact';

export interface Panel {
  /** In the address. */
  name: string;
  title: string;
  group: 'Observe' | 'Work' | 'Set up';
  /** Path data of a 16 by 16 drawing. */
  icon: string;
  /** For search by people: what it is for, in one sentence. */
  about: string;
  View: ComponentType;
}

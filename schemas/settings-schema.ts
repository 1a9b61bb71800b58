/** A schema of flat settings, made of those of the kernel and its plugins, and the values that it describes. Pure. */
import { isDeepStrictEqual } from 'node:util';
import type { Static } from 'typebox';
import type { XStatic } from 'typebox/schema';
import type { Json } from './loose.ts';

/** The schema of a plugin's settings; `properties` is what it says of each. */
export interface SliceSchema {
  readonly properties: object;
}

/** The settings that a schema describes: what has a default is always there. */
export type SliceValue<C extends SliceSchema> = Readonly<C extends { '~kind': string } ? Static<C> : Complete<C>>;
type Complete<C extends SliceSchema> = XStatic<C> & {
  [K in keyof C['properties'] as HasDefault<C['properties'][K], K>]: XStatic<C['properties'][K]>;
};
type HasDefault<P, K> = P extends { readonly default: unknown } ? K : never;

/** Whoever has settings of its own: a plugin, or what stands for one in a list. */
export interface Slice {
  readonly name: string;
  readonly config?: SliceSchema;
}

export interface PropertySchema extends Json {
  type?: string;
  default?: unknown;
  anyOf?: PropertySchema[];
  /** A path, or a list of them. */
  isPath?: boolean;
}

/** One schema of flat settings; `T` is what it describes. */
export interface SettingsSchema<T = unknown> extends Json {
  $id: string;
  properties: Record<string, PropertySchema>;
  readonly '~settings'?: T;
}

/** A setting that two define differently. */
export interface SettingConflict {
  option: string;
  one: string;
  other: string;
}

/** `first`, which are the kernel's, and those of `slices`. Two may share a setting, spelled the same; else throws what `refuse` makes. */
export function mergedProperties(
  first: SettingsSchema['properties'],
  slices: readonly Slice[],
  refuse: (conflict: SettingConflict & Json) => Error,
): SettingsSchema['properties'] {
  const properties = { ...first };
  const owners = new Map(Object.keys(properties).map(option => [option, 'the kernel']));
  for (const { name, config } of slices) {
    for (const [option, property] of Object.entries(config?.properties ?? {})) {
      const known = owners.get(option);
      if (known !== undefined && !isDeepStrictEqual(properties[option], property)) {
        throw refuse({ option, one: known, other: name });
      }
      owners.set(option, known ?? name);
      properties[option] = property;
    }
  }
  return properties;
}

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }
export type Config = { readonly [name: string]: Json }

export interface Variant {
  /** `SelectPermission` */
  readonly kind: string
  /** `pool_settings.retries`, `column_config.*.comment`; none: the object as a whole. */
  readonly attribute: string
  readonly from: Config
  readonly to: Config
}

/** Where things are that the configurations speak of. */
export interface VariantPlaces {
  readonly databaseUrl: string
  /** Files that hold the address of the database. */
  readonly urlFiles: readonly [string, string]
  /** Variables of the engine's environment that hold it. */
  readonly urlVariables: readonly [string, string]
  /** Another port of this machine behind which the same database is. */
  readonly otherPort: number
  /** Two with the same password, and one whose password becomes `changed`. */
  readonly users: { readonly same: readonly [string, string]; readonly other: string; readonly password: string }
  /** A GraphQL server with the schema of the samples. */
  readonly remoteUrl: string
}

/** A name that makes a table, a source or a relationship of the variant's own. */
export const slotOf = (attribute: string) => attribute.replaceAll('*', 'each').replaceAll('.', '_')

export type Pair = readonly [Config, Config]
export type Makers = Readonly<Record<string, (slot: string) => Pair>>

/** The same configuration but for one attribute. */
export const changing =
  (base: (slot: string) => Config, from: Config, to: Config) =>
  (slot: string): Pair => {
    const common = base(slot)
    return [without({ ...common, ...from }), without({ ...common, ...to })]
  }

/** A null takes an attribute of the base away. */
export const without = (config: Config): Config =>
  Object.fromEntries(Object.entries(config).filter(([, value]) => value !== null))

export const nest = (path: readonly string[], value: Json): Json => {
  const [head, ...rest] = path
  return head === undefined ? value : { [head]: nest(rest, value) }
}

export type Base = (slot: string) => Config

/** Attributes below one object. */
export const inObject =
  (base: Base, object: string, common: Config = {}) =>
  (attribute: string, from: Config, to: Config): Makers => ({
    [`${object}.${attribute}`]: changing(
      base,
      { [object]: without({ ...common, ...from }) },
      { [object]: without({ ...common, ...to }) },
    ),
  })

export function nothing(): Config {
  return {}
}

import type { Attributes, ResourceKind } from '../resources/index.ts'
import type { AdoptedResource } from './adopted-resource.ts'
import type { Secret } from './expression.ts'

/** The parts of a resource's identity that distinguish it from others, in short (`['album', 'user']`) and whole. */
export interface NameParts {
  readonly short: readonly string[]
  readonly whole: readonly string[]
}

/** A parent that everything without another one has, such as the source `default`, is left out of a short name. */
export function namePartsOf({ kind, identity }: AdoptedResource): NameParts {
  const short = identity.filter((text, i) => text !== defaultOf(kind, kind.identityPaths[i] ?? []))
  return { short: short.length > 0 ? short : identity, whole: identity }
}

function defaultOf(kind: ResourceKind, path: readonly string[]): unknown {
  let attributes: Attributes = kind.attributes
  for (const [i, name] of path.entries()) {
    const attribute = attributes[name]
    if (!attribute || i === path.length - 1) return attribute?.default
    if (attribute.type.kind !== 'object') return undefined
    attributes = attribute.type.attributes
  }
  return undefined
}

/**
 * A name of its own for each of several things, in their order: the short one, where that is taken the whole one, then
 * with a number.
 */
export function uniqueNames<T>(
  things: readonly T[],
  shortOf: (thing: T) => string,
  wholeOf: (thing: T) => string,
): ReadonlyMap<T, string> {
  const taken = new Set<string>()
  const names = new Map<T, string>()
  for (const thing of things) {
    const [short, whole] = [shortOf(thing), wholeOf(thing)]
    let name = taken.has(short) ? whole : short
    for (let i = 2; taken.has(name); i++) name = `${whole}_${i}`
    taken.add(name)
    names.set(thing, name)
  }
  return names
}

/** `order-lines`, `2` -> `order_lines_2`: a name as languages let things be called. */
export function identifier(parts: readonly string[]): string {
  const text = parts
    .join('_')
    .normalize('NFC')
    .replace(/[^\p{ID_Continue}]+/gu, '_')
    .replace(/^_+|_+$/g, '')
  return /^\p{ID_Start}/u.test(text) ? text : `_${text}`
}

/** `order_lines` -> `orderLines` */
export const camelCase = (snake: string): string =>
  snake.replace(/(?<=.)_+(.)/gu, (_, letter: string) => letter.toUpperCase())

/** What resources, by their addresses, and secrets are called in a project. */
export interface ProjectNames {
  /** `svc_table.album`, `albumTable` */
  readonly resource: (address: string) => string
  /** Of a variable or a key of the configuration: `default_database_url`. */
  readonly secret: (secret: Secret) => string
}

/** The names of secrets, each its own. */
export function secretNames(
  secrets: readonly Secret[],
  shortOf: (secret: Secret) => string,
  wholeOf: (secret: Secret) => string = shortOf,
): ProjectNames['secret'] {
  const keyOf = ({ of, path }: Secret) => JSON.stringify([of, path])
  const names = new Map([...uniqueNames(secrets, shortOf, wholeOf)].map(([secret, name]) => [keyOf(secret), name]))
  return (secret) => names.get(keyOf(secret)) ?? ''
}

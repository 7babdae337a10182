import type { Selection } from './random-remote-document.ts'
import { bareType, isLeaf, possibleOf, type RemoteWorld } from './random-remote-world.ts'

type Shown = null | string | readonly Shown[] | { readonly [key: string]: Shown }

/** An object of a remote server: its fields are made of its number. */
export interface WorldObject {
  readonly type: string
  readonly number: number
}

const mix = (number: number, text: string): number =>
  [...text].reduce((hash, letter) => (Math.imul(hash, 31) + letter.charCodeAt(0)) >>> 0, (number + 1) >>> 0)

/** What the server has in a field: a text that says where it is from, objects, lists of them, or null. */
export function fieldValue<T>(
  world: RemoteWorld,
  { type, number }: WorldObject,
  field: string,
  show: (object: WorldObject) => T,
): string | null | T | readonly (T | null)[] {
  const text = world.upstream.get(type)?.fields.get(field) ?? 'String'
  if (isLeaf(text)) return `${type}.${field}`
  const possible = possibleOf(world.upstream, bareType(text))
  const objectAt = (seed: number) => show({ type: possible[seed % possible.length] ?? '', number: seed })
  const seed = mix(number, field) >>> 3
  if (text.startsWith('[')) return [objectAt(seed), objectAt(seed + 1), objectAt(seed + 2)]
  return seed % 9 === 0 && !text.endsWith('!') ? null : objectAt(seed)
}

/** What a role gets: of an object that is none of those which the role has at its place, nothing. */
export function expectedData(world: RemoteWorld, selections: readonly Selection[]): Shown {
  return shown(world, 'Query', { type: 'Query', number: 0 }, selections)
}

function shown(world: RemoteWorld, seenAs: string, object: WorldObject, selections: readonly Selection[]): Shown {
  let all: Shown = {}
  if (!possibleOf(world.role, seenAs).includes(object.type)) return all
  for (const one of selections) {
    if (one.kind === 'fragment') all = merged(all, shown(world, one.on ?? seenAs, object, one.below))
    else if (one.name === '__typename') all = merged(all, { [one.as]: `${world.prefix}${object.type}` })
    else {
      const below = bareType(world.role.get(seenAs)?.fields.get(one.name) ?? '')
      const value = fieldValue(world, object, one.name, (inner) => shown(world, below, inner, one.below))
      all = merged(all, { [one.as]: value })
    }
  }
  return all
}

function merged(a: Shown, b: Shown): Shown {
  if (Array.isArray(a) && Array.isArray(b)) return a.map((item, i) => merged(item, b[i] ?? null))
  if (!isObject(a) || !isObject(b)) return b
  const all: Record<string, Shown> = { ...a }
  for (const [key, value] of Object.entries(b)) {
    const known = all[key]
    all[key] = known === undefined ? value : merged(known, value)
  }
  return all
}

const isObject = (value: Shown): value is { readonly [key: string]: Shown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

import type { Random } from '../admin/random.ts'
import { bareType, isLeaf, type RemoteWorld } from './random-remote-world.ts'

/** What a document selects: of fields, what is below them. */
export type Selection =
  | { readonly kind: 'field'; readonly name: string; readonly as: string; readonly below: readonly Selection[] }
  | { readonly kind: 'fragment'; readonly on: string | null; readonly below: readonly Selection[] }

export interface RemoteDocument {
  readonly query: string
  /** Of the root. */
  readonly selections: readonly Selection[]
}

/**
 * A document of fields that the role has, with fragments on whatever type the server has: those that the role lacks
 * and those that a place cannot be for the role among them.
 */
export function randomRemoteDocument(random: Random, world: RemoteWorld): RemoteDocument | null {
  const root = [...(world.role.get('Query')?.fields.keys() ?? [])]
  if (root.length === 0) return null
  const names = random.chance(0.5) ? [random.pick(root)] : [random.pick(root), random.pick(root)]
  const selections = names.map((name, i): Selection => {
    const type = bareType(world.role.get('Query')?.fields.get(name) ?? '')
    return { kind: 'field', name, as: `r${i}`, below: selectionsOf(random, world, type, 4) }
  })
  const printed = print(random, world.prefix, selections)
  return { query: `{ ${printed.text} } ${printed.fragments.join(' ')}`, selections }
}

function selectionsOf(random: Random, world: RemoteWorld, type: string, depth: number): readonly Selection[] {
  const fields = [...(world.role.get(type)?.fields ?? [])].filter(([, text]) => isLeaf(text) || depth > 0)
  const conditions = [...world.upstream.keys()].filter((name) => name !== 'Query')
  const count = 1 + random.below(3)
  const list: Selection[] = []
  for (let i = 0; i < count; i++) {
    const [name, text] = fields.length > 0 ? random.pick(fields) : ['__typename', 'String']
    const isFragment = random.chance(0.5) && depth > 0
    if (isFragment) {
      const on = random.chance(0.15) ? null : random.pick(conditions)
      const inside = on ?? type
      // what a role does not see has no fields for it, and yet may be asked
      const isSeen = world.role.has(inside)
      const below: readonly Selection[] = isSeen
        ? selectionsOf(random, world, inside, depth - 1)
        : [{ kind: 'field', name: 'a1', as: 'a1', below: [] }]
      list.push({ kind: 'fragment', on, below })
    } else if (random.chance(0.25)) list.push({ kind: 'field', name: '__typename', as: '__typename', below: [] })
    else if (isLeaf(text)) list.push({ kind: 'field', name, as: name, below: [] })
    else {
      const below = selectionsOf(random, world, bareType(text), depth - 1)
      list.push({ kind: 'field', name, as: random.chance(0.3) ? `my_${name}` : name, below })
    }
  }
  return list
}

function print(random: Random, prefix: string, selections: readonly Selection[]) {
  const fragments: string[] = []
  const textOf = (list: readonly Selection[]): string =>
    list
      .map((one): string => {
        const below = one.below.length > 0 ? `{ ${textOf(one.below)} }` : ''
        if (one.kind === 'field') return `${one.as === one.name ? one.name : `${one.as}: ${one.name}`} ${below}`
        if (one.on !== null && random.chance(0.4)) {
          const name = `f${fragments.length}`
          fragments.push(`fragment ${name} on ${prefix}${one.on} ${below}`)
          return `...${name}`
        }
        return `...${one.on === null ? '' : ` on ${prefix}${one.on}`} ${below}`
      })
      .join(' ')
  return { text: textOf(selections), fragments }
}

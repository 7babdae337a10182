import type { Random } from '../admin/random.ts'

/** A schema of a remote server, and the part of it that a role has, for run-remote-subsets.ts. */
export interface RemoteWorld {
  readonly upstream: Types
  readonly role: Types
  /** What public names of types begin with. */
  readonly prefix: string
}

/** Types by name; `Query` is the root. */
export type Types = ReadonlyMap<string, WorldType>

interface WorldType {
  readonly kind: 'type' | 'interface' | 'union'
  readonly name: string
  /** Field to its type as text; a field of one name has values of one shape everywhere. */
  readonly fields: ReadonlyMap<string, string>
  readonly interfaces: readonly string[]
  readonly members: readonly string[]
}

export const bareType = (text: string): string => text.replaceAll(/[[\]!]/g, '')
export const isLeaf = (text: string): boolean => bareType(text) === 'String'

/** The object types that something of a type may be. */
export function possibleOf(types: Types, name: string): readonly string[] {
  const type = types.get(name)
  if (type === undefined) return []
  if (type.kind === 'type') return [name]
  if (type.kind === 'union') return type.members.filter((member) => types.has(member))
  return [...types.values()].flatMap((one) => (one.kind === 'type' && one.interfaces.includes(name) ? [one.name] : []))
}

export function randomRemoteWorld(random: Random): RemoteWorld {
  const upstream = randomUpstream(random)
  return { upstream, role: randomPart(random, upstream), prefix: random.chance(0.3) ? 'My' : '' }
}

const some = <T>(random: Random, list: readonly T[], probability: number): readonly T[] =>
  list.filter(() => random.chance(probability))
const wrap = (random: Random, name: string): string => random.pick([name, name, `${name}!`, `[${name}!]!`, `[${name}]`])

function randomUpstream(random: Random): Types {
  const objects = Array.from({ length: 3 + random.below(3) }, (_, i) => `T${i}`)
  const interfaces = Array.from({ length: 1 + random.below(3) }, (_, i) => `I${i}`)
  const unions = Array.from({ length: 1 + random.below(2) }, (_, i) => `U${i}`)
  const implemented = new Map(objects.map((name) => [name, some(random, interfaces, 0.6)]))
  const served = interfaces.filter((name) => [...implemented.values()].some((list) => list.includes(name)))
  const leaves = ['a0', 'a1', 'a2', 'a3']
  const links = Array.from({ length: 6 }, (_, i) => {
    const abstract = random.chance(0.75) ? [...served, ...unions] : objects
    return [`c${i}`, wrap(random, random.pick(abstract.length > 0 ? abstract : objects))] as const
  })
  const randomFields = () =>
    new Map([...some(random, leaves, 0.5).map((name) => [name, 'String'] as const), ...some(random, links, 0.4)])
  const ofInterface = new Map(served.map((name) => [name, new Map([['a0', 'String'], ...randomFields()])]))
  const types: WorldType[] = [
    { kind: 'type', name: 'Query', fields: new Map(links), interfaces: [], members: [] },
    ...served.map((name): WorldType => {
      return { kind: 'interface', name, fields: ofInterface.get(name) ?? new Map(), interfaces: [], members: [] }
    }),
    ...objects.map((name): WorldType => {
      const own = (implemented.get(name) ?? []).filter((one) => served.includes(one))
      const fields = new Map([
        ['a1', 'String'],
        ...randomFields(),
        ...own.flatMap((one) => [...(ofInterface.get(one) ?? [])]),
      ])
      return { kind: 'type', name, fields, interfaces: own, members: [] }
    }),
    ...unions.map((name): WorldType => {
      const members = some(random, objects, 0.7)
      return { kind: 'union', name, fields: new Map(), interfaces: [], members: members.length > 0 ? members : objects }
    }),
  ]
  return new Map(types.map((type) => [type.name, type]))
}

/** What is left of a schema, with everything that it refers to. */
function randomPart(random: Random, upstream: Types): Types {
  const left = new Set([...upstream.keys()].filter((name) => name === 'Query' || random.chance(0.75)))
  let types = new Map<string, WorldType>()
  for (const type of upstream.values()) {
    if (!left.has(type.name)) continue
    const kept = type.name === 'Query' ? [...type.fields] : some(random, [...type.fields], 0.8)
    types.set(type.name, {
      ...type,
      fields: new Map(kept),
      interfaces: some(random, type.interfaces, 0.8),
      members: some(random, type.members, 0.7),
    })
  }
  // what is empty goes, and so does what leads there
  for (;;) {
    const known = types
    const next = [...known.values()].map((type) => ({
      ...type,
      fields: new Map([...type.fields].filter(([, text]) => isLeaf(text) || known.has(bareType(text)))),
      interfaces: type.interfaces.filter((name) => known.has(name)),
      members: type.members.filter((name) => known.has(name)),
    }))
    types = new Map(
      next
        .filter((type) => type.name === 'Query' || (type.kind === 'union' ? type.members : [...type.fields]).length > 0)
        .map((type) => [type.name, type]),
    )
    if (types.size === known.size) return types
  }
}

export function sdlOf(types: Types): string {
  return [...types.values()]
    .map(({ kind, name, fields, interfaces, members }) => {
      if (kind === 'union') return `union ${name} = ${members.join(' | ')}`
      const implemented = interfaces.length > 0 ? ` implements ${interfaces.join(' & ')}` : ''
      return `${kind} ${name}${implemented} { ${[...fields].map(([field, type]) => `${field}: ${type}`).join(' ')} }`
    })
    .join('\n')
}

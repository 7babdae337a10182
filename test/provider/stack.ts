/** Many resources at once, as a tool with slots applies them: each planned, then applied, in any order. */
import pg from 'pg'
import type { Diagnostic, Provider, Values } from '../../provider/src/core/index.ts'
import { apply } from './deploy.ts'

export interface Resource {
  readonly name: string
  readonly kind: string
  readonly config: Values
  /** Names of resources that are made before it. */
  readonly after: readonly string[]
}

export type States = ReadonlyMap<string, Values>

export interface StackResult {
  readonly states: States
  readonly failed: ReadonlyMap<string, Diagnostic>
}

/** Makes what has no state yet, `parallelism` at a time; what comes after a failed one is left out. */
export async function applyStack(
  provider: Provider,
  resources: readonly Resource[],
  before: States,
  parallelism: number,
): Promise<StackResult> {
  const states = new Map(before)
  const failed = new Map<string, Diagnostic>()
  const left = new Map(resources.filter(({ name }) => !states.has(name)).map((resource) => [resource.name, resource]))
  const running = new Set<Promise<void>>()
  const make = async ({ name, kind, config }: Resource) => {
    const { state, diagnostics } = await apply(provider, kind, null, config)
    const error = diagnostics.find(({ severity }) => severity === 'error')
    if (error) failed.set(name, error)
    else if (state) states.set(name, state)
  }
  for (;;) {
    for (const resource of left.values()) {
      if (running.size >= parallelism) break
      if (!resource.after.every((name) => states.has(name))) continue
      left.delete(resource.name)
      const made: Promise<void> = make(resource).finally(() => running.delete(made))
      running.add(made)
    }
    if (running.size === 0) return { states, failed }
    await Promise.race(running)
  }
}

/** Tables t0, t1 … each of which has a foreign key to the one before. */
export async function createChainOfTables(databaseUrl: string, count: number): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const table = (i: number) =>
    `CREATE TABLE t${i} (id integer PRIMARY KEY, owner text, before_id integer REFERENCES t${Math.max(0, i - 1)})`
  await client.query(Array.from({ length: count }, (_, i) => table(i)).join(';')).finally(() => client.end())
}

/**
 * For each table: the table, a relationship to the one before, and a permission whose condition goes through that
 * relationship. `byReference(i)`: whether those of table i come after what they need, or name it by plain strings.
 */
export function chainOfResources(count: number, byReference: (i: number) => boolean): readonly Resource[] {
  return Array.from({ length: count }, (_, i): readonly Resource[] => {
    const table: Values = { schema: 'public', name: `t${i}` }
    const previous = `table ${Math.max(0, i - 1)}`
    const after = (...names: readonly string[]) => (byReference(i) ? names : [])
    return [
      { name: `table ${i}`, kind: 'Table', config: { table }, after: [] },
      {
        name: `relationship ${i}`,
        kind: 'ObjectRelationship',
        config: { table, name: 'before', foreign_key_columns: ['before_id'] },
        after: after(`table ${i}`, previous),
      },
      {
        name: `permission ${i}`,
        kind: 'SelectPermission',
        config: { table, role: 'user', columns: ['id'], filter: '{"before":{"owner":{"_eq":"X-Svc-User-Id"}}}' },
        after: after(`relationship ${i}`),
      },
    ]
  }).flat()
}

/** In an order that looks random and is the same at every run. */
export function shuffled<T>(items: readonly T[], seed: number): readonly T[] {
  let state = seed
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state
  }
  return items
    .map((item) => ({ item, by: next() }))
    .sort((a, b) => a.by - b.by)
    .map(({ item }) => item)
}

import type { Random } from '../admin/random.ts'
import { randomRoles } from './random-roles.ts'
import { randomNatives, randomRoutines } from './random-routines.ts'
import { randomTables } from './random-tables.ts'
import type { World } from './world.ts'

export function randomWorld(random: Random): World {
  const { tables, relationships } = randomTables(random)
  const routines = randomRoutines(random, tables)
  const { models, queries, relationships: ofModels } = randomNatives(random, tables)
  const world: World = {
    tables: new Map([...tables, ...models.map((model) => [model.name, model] as const)]),
    relationships: [...relationships, ...ofModels],
    routines,
    queries,
    roles: new Map(),
  }
  return { ...world, roles: randomRoles(random, world) }
}

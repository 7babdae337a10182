import { DirectoryError } from '../directory/index.ts'
import { byVersion, type Migration } from './migration-files.ts'

export interface Step {
  readonly migration: Migration
  readonly direction: 'up' | 'down'
}

/** What a user wants to be applied. */
export type Choice =
  | { readonly kind: 'up'; readonly most: number }
  | { readonly kind: 'down'; readonly most: number }
  | { readonly kind: 'goto'; readonly version: string }
  | { readonly kind: 'only'; readonly version: string; readonly direction: 'up' | 'down' }

/** The steps in their order. `applied`: versions that the source has. Throws DirectoryError for what cannot be. */
export function planSteps(
  migrations: readonly Migration[],
  applied: ReadonlySet<string>,
  choice: Choice,
): readonly Step[] {
  const pending = migrations.filter(({ version }) => !applied.has(version))
  const up = (chosen: readonly Migration[]): readonly Step[] =>
    chosen.map((migration) => ({ migration: whole(migration, applied), direction: 'up' }))
  const down = (versions: readonly string[]): readonly Step[] =>
    versions.map((version) => ({ migration: named(migrations, version), direction: 'down' }))
  switch (choice.kind) {
    case 'up':
      return up(pending.slice(0, choice.most))
    case 'down':
      return down(latestFirst(migrations, applied).slice(0, choice.most))
    case 'goto': {
      const isLater = (version: string) => byVersion(version, choice.version) > 0
      named(migrations, choice.version)
      return [
        ...down(latestFirst(migrations, applied).filter(isLater)),
        ...up(pending.filter(({ version }) => !isLater(version))),
      ]
    }
    case 'only': {
      const migration = named(migrations, choice.version)
      if (applied.has(migration.version) === (choice.direction === 'up')) return []
      return choice.direction === 'up' ? up([migration]) : down([migration.version])
    }
  }
}

/** Without those that a later migration stands for. */
function latestFirst(migrations: readonly Migration[], applied: ReadonlySet<string>): readonly string[] {
  const squashed = new Set(migrations.flatMap(({ version, squashes }) => squashes.filter((one) => one !== version)))
  return [...applied].filter((version) => !squashed.has(version)).sort((a, b) => byVersion(b, a))
}

function named(migrations: readonly Migration[], version: string): Migration {
  const found = migrations.find((one) => one.version === version)
  if (found) return found
  throw new DirectoryError(`there are no files of version ${version}`)
}

/** A squashed migration is applied whole: a source that has a part of it needs the files from before. */
function whole(migration: Migration, applied: ReadonlySet<string>): Migration {
  const some = migration.squashes.filter((version) => applied.has(version))
  if (some.length === 0) return migration
  throw new DirectoryError(
    `${migration.version}_${migration.name} stands for ${migration.squashes.join(', ')}, and the source has ${some.join(', ')} of them: apply the others from before the squash`,
  )
}

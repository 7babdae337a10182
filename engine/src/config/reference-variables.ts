import type { Environment } from './environment.ts'
import { envPrefix } from './setting.ts'
import { settingKeys, settings } from './settings.ts'

const referencePrefix = 'HASURA_GRAPHQL_'

/** A variable of the reference engine that is set, and the one that counts here; null: there is none. */
export interface ReferenceVariable {
  readonly name: string
  readonly counterpart: string | null
}

/** The reference engine's variables in the environment, which count for nothing here (docs/migration.md). */
export function referenceVariables(environment: Environment): readonly ReferenceVariable[] {
  const known = new Set(settingKeys.map((key) => settings[key].env))
  return Object.keys(environment)
    .filter((name) => name.startsWith(referencePrefix) && environment[name] !== undefined)
    .toSorted()
    .map((name) => {
      const own = name.slice(referencePrefix.length)
      return { name, counterpart: known.has(own) ? envPrefix + own : null }
    })
}

/** `HASURA_GRAPHQL_A (here SVC_GRAPHQL_A), …` */
export const shownReferenceVariables = (variables: readonly ReferenceVariable[]): string =>
  variables
    .map(({ name, counterpart }) => `${name} (${counterpart === null ? 'no counterpart' : `here ${counterpart}`})`)
    .join(', ')

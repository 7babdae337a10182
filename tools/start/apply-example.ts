import { join } from 'node:path'
import type { MetadataDocument } from '@svc/schema'
import {
  applySteps,
  countChanges,
  type MetadataClient,
  type PlannedChange,
  planChanges,
  readLive,
  readMetadataFrom,
  renderChange,
  walkObjects,
} from '../../provider/src/index.ts'
import { dim, green, progress, red, say, yellow } from './terminal.ts'

/** Declares the example's directory to an engine that `declaresNothing`, object by object. */
export async function applyExample(client: MetadataClient, example: string): Promise<void> {
  const { document } = await readMetadataFrom(join(example, 'metadata'))
  const plan = planChanges((await readLive(client)).document, document)
  say(`  plan: ${countChanges(plan.changes)}`)
  for (const line of listed(plan.changes)) say(`  ${line}`)
  await applySteps(client, plan, ({ change, step, steps }) => progress(step, steps, change.name.name))
}

/** Shows how an engine's metadata differs from the example, and `restore`, the command that takes the difference back. */
export async function compareExample(client: MetadataClient, example: string, restore: string): Promise<void> {
  const { document } = await readMetadataFrom(join(example, 'metadata'))
  const { changes } = planChanges(document, (await readLive(client)).document)
  if (changes.length === 0) {
    say(`  ${green('no changes')} ${dim('the live engine serves what the directory declares')}`)
    return
  }
  say(`  ${green('kept')} ${dim('what differs from the directory was changed since, and stays:')}`)
  for (const line of listed(changes)) say(`  ${line}`)
  say(`  ${dim('to have the sample as it was:')} ${restore}`)
}

/** Whether there is nothing but the source that an engine begins with. */
export const declaresNothing = (document: MetadataDocument): boolean =>
  [...walkObjects(document)].every(({ at, object }) => at.type === 'source' && object.value.name === 'default')

const listed = (changes: readonly PlannedChange[]) => (changes.length > 12 ? byTable(changes) : oneByOne(changes))

const paint = { good: green, bad: red, changed: yellow, faint: dim }

const oneByOne = (changes: readonly PlannedChange[]) => changes.map((change) => renderChange(change, paint))

/** `+ table album   2 relationships, 3 permissions`; what is in no table stands by itself. */
function byTable(changes: readonly PlannedChange[]): readonly string[] {
  const tables = Map.groupBy(
    changes,
    ({ name }) => / in (table \S+)|^(table \S+)/.exec(name.name)?.slice(1).join('') ?? name.name,
  )
  return [...tables]
    .map(([place, inside]) => {
      const count = (ending: string, label: string) => {
        const found = inside.filter(({ name }) => name.type.endsWith(ending)).length
        return found === 0 ? [] : [`${found} ${label}${found === 1 ? '' : 's'}`]
      }
      const isTable = place.startsWith('table ')
      const whole = inside.find(({ name }) => name.type === 'table' || !isTable)
      const parts = [
        ...count('_relation', 'relationship'),
        ...count('computed_field', 'computed field'),
        ...count('_permission', 'permission'),
      ]
      return `${SIGNS[whole?.change ?? 'update']} ${place.padEnd(22)} ${dim(isTable ? parts.join(', ') : '')}`.trimEnd()
    })
    .toSorted((a, b) => (a < b ? -1 : 1))
}

const SIGNS = { create: green('+'), update: yellow('~'), delete: red('-') }

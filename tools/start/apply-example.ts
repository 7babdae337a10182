import { join } from 'node:path'
import {
  applySteps,
  countChanges,
  type MetadataClient,
  type PlannedChange,
  planChanges,
  readLive,
  readMetadataFrom,
  renderChange,
} from '../../provider/src/index.ts'
import { dim, green, progress, red, say, yellow } from './terminal.ts'

/** Makes the live metadata equal to the example's directory, object by object. */
export async function applyExample(client: MetadataClient, example: string): Promise<void> {
  const { document } = await readMetadataFrom(join(example, 'metadata'))
  const plan = planChanges((await readLive(client)).document, document)
  if (plan.changes.length === 0) {
    say(`  ${green('no changes')} ${dim('the live engine serves what the directory declares')}`)
    return
  }
  say(`  plan: ${countChanges(plan.changes)}`)
  for (const line of plan.changes.length > 12 ? byTable(plan.changes) : oneByOne(plan.changes)) say(`  ${line}`)
  await applySteps(client, plan, ({ change, step, steps }) => progress(step, steps, change.name.name))
}

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

import { join } from 'node:path'
import { readMetadata } from '@svc/schema'
import type { MetadataClient } from '../../provider/src/client/index.ts'
import { readMetadataFrom } from '../../provider/src/directory/index.ts'
import { makePlan, type Step } from './plan.ts'
import { dim, green, progress, red, StartError, say, yellow } from './terminal.ts'

/** Makes the live metadata equal to the example's directory, object by object. */
export async function applyExample(client: MetadataClient, example: string): Promise<void> {
  const { document } = await readMetadataFrom(join(example, 'metadata'))
  const live = readMetadata((await client.send({ type: 'export_metadata', args: {} })).body)
  if (!live.ok) throw new StartError(`The live metadata cannot be read: ${live.issue.message}`)
  const plan = makePlan(live.document, document)
  if (plan.length === 0)
    return say(`  ${green('no changes')} ${dim('the live engine serves what the directory declares')}`)
  showPlan(plan)
  for (const [index, step] of plan.entries()) {
    await client.send(step.operation)
    progress(index + 1, plan.length, shortName(step.name))
  }
}

const SIGNS = { create: green('+'), update: yellow('~'), delete: red('-') }

/** A few objects one by one; many by table. */
function showPlan(plan: readonly Step[]): void {
  const count = (change: Step['change']) => plan.filter((step) => step.change === change).length
  say(`  plan: ${count('create')} to create, ${count('update')} to change, ${count('delete')} to drop`)
  if (plan.length <= 12) for (const { change, name } of plan) say(`  ${SIGNS[change]} ${shortName(name)}`)
  else for (const line of byTable(plan)) say(`  ${line}`)
}

const shortName = (name: string) => name.replace(/ in source default$/, '')

function byTable(plan: readonly Step[]): readonly string[] {
  const tables = Map.groupBy(plan, ({ name }) => /(?:^| in )(table \S+)/.exec(name)?.[1] ?? shortName(name))
  return [...tables].map(([table, steps]) => {
    const count = (kind: RegExp, label: string) => {
      const found = steps.filter(({ name }) => kind.test(name)).length
      return found === 0 ? [] : [`${found} ${label}${found === 1 ? '' : 's'}`]
    }
    const parts = [...count(/^\w+_relationship /, 'relationship'), ...count(/^\w+_permission /, 'permission')]
    const sign = SIGNS[steps[0]?.change ?? 'create']
    return `${sign} ${table.padEnd(22)} ${dim(parts.join(', '))}`
  })
}

import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { type Half, startWalk, walk } from '../provider/start-walk.ts'
import { wired } from '../provider/walk-identities.ts'
import type { WalkedResource } from '../provider/walk-names.ts'
import { createTerraformFolder, type TerraformFolder, VERSION } from './terraform.ts'

const snake = (kind: string) => kind.replace(/(?<!^)[A-Z]/g, '_$&').toLowerCase()
const addressOf = ({ kind, name }: WalkedResource) => `svc_${snake(kind)}.${name}`

export async function declare(folder: TerraformFolder, stack: readonly WalkedResource[]): Promise<void> {
  const resource: Record<string, Record<string, object>> = {}
  for (const one of stack) {
    const type = `svc_${snake(one.kind)}`
    resource[type] = {
      ...resource[type],
      [one.name]: {
        // what a query asks for no attribute names
        ...(one.kind === 'QueryCollection' && { depends_on: ['svc_table.table_album'] }),
        ...wired(stack, one, (of, attribute) => `\${${addressOf(of)}.${attribute}}`),
      },
    }
  }
  const terraform = { required_providers: { svc: { source: 'svc/svc', version: VERSION } } }
  await folder.write('main.tf.json', JSON.stringify({ terraform, resource }, null, 1))
}

/** Half of the walk by the real Terraform. */
export async function walkByTerraform(t: TestContext, half: Half): Promise<void> {
  const start = await startWalk(t)
  const folder = await createTerraformFolder(start.engine, t)
  const [state = '', kept = ''] = ['terraform.tfstate', 'kept.tfstate'].map((name) => join(folder.path, name))
  await walk(t, half, start, {
    deletesLast: false,
    declare: (stack) => declare(folder, stack),
    apply: () => folder.apply(),
    planned: () => folder.planned(),
    keepState: () => cp(state, kept),
    restoreState: () => cp(kept, state),
  })
}

import type { TestContext } from 'node:test'
import { pulumiName } from '../../provider/src/pulumi/index.ts'
import { kindNamed } from '../../provider/src/resources/index.ts'
import { type Half, startWalk, walk } from '../provider/start-walk.ts'
import { wired } from '../provider/walk-identities.ts'
import type { WalkedResource } from '../provider/walk-names.ts'
import { inputsOf } from './inputs-of.ts'
import { program } from './many-resources.ts'
import { createPulumiProject } from './pulumi.ts'

/** As Pulumi's YAML refers to outputs. */
const output = (path: string) => `$\{${path}}`

export const programOf = (stack: readonly WalkedResource[]): string =>
  program(
    Object.fromEntries(
      stack.map((one) => [
        one.name,
        {
          type: `svc:${one.kind}`,
          properties: inputsOf(
            kindNamed(one.kind)?.attributes ?? {},
            wired(stack, one, (of, attribute) => output(`${of.name}.${pulumiName(attribute)}`)),
          ),
          // what a query asks for no attribute names
          ...(one.kind === 'QueryCollection' && { options: { dependsOn: [output('table_album')] } }),
        },
      ]),
    ),
  )

/** Half of the walk by the real Pulumi. */
export async function walkByPulumi(t: TestContext, half: Half): Promise<void> {
  const start = await startWalk(t)
  const project = await createPulumiProject(start.engine, t)
  project.environment.PULUMI_SKIP_CHECKPOINTS = 'true'
  await walk(t, half, start, {
    deletesLast: true,
    declare: (stack) => project.write('Pulumi.yaml', programOf(stack)),
    apply: () => project.up(),
    planned: () => project.planned('--refresh'),
    keepState: async () => void (await project.succeed('stack', 'export', '--file', 'kept.json')),
    restoreState: async () => void (await project.succeed('stack', 'import', '--file', 'kept.json')),
  })
}

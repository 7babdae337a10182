/** A stack of any number of resources in YAML: the tables in a row of test/terraform/many-resources.ts. */
import type { References, Stack } from '../terraform/many-resources.ts'
import { type Diagnosis, nameOf, type PulumiProject } from './pulumi.ts'

export { assertMadeOnce, startRow } from '../terraform/many-resources.ts'

/** Of three resources one is a table. */
const tableCount = (resources: number) => Math.ceil((resources + 1) / 3)

/** What stands before the resources of every program in YAML. JSON is YAML. */
export const program = (resources: object, more: object = {}): string =>
  JSON.stringify(
    {
      name: 'test',
      runtime: 'yaml',
      plugins: { providers: [{ name: 'svc', path: 'node_modules/@svc/pulumi/plugin' }] },
      ...more,
      resources,
    },
    null,
    1,
  )

/** `more`: further keys next to the resources. */
export const declareStack = (project: PulumiProject, stack: Stack, more: object = {}): void =>
  project.write('Pulumi.yaml', program(resourcesOf(stack), more))

function resourcesOf({ resources, references, wrong }: Stack): object {
  const count = tableCount(resources)
  const indices = Array.from({ length: count }, (_, i) => i)
  const place = placing(references)
  const table = (i: number) => [`t${i}`, { type: 'svc:Table', properties: { table: { name: `t${i}` } } }] as const
  const relationship = (i: number) =>
    [
      `r${i}`,
      {
        type: 'svc:ObjectRelationship',
        ...place(i, { name: 'before', foreignKeyColumns: ['before_id'] }, `t${i - 1}`),
      },
    ] as const
  const permission = (i: number) =>
    [
      `p${i}`,
      {
        type: 'svc:SelectPermission',
        ...place(
          i,
          {
            role: 'user',
            columns: ['id', i === wrong ? 'ownr' : 'owner'],
            filter: i === 0 ? { owner: mine } : { before: { owner: mine } },
          },
          ...(i === 0 ? [] : [`r${i}`]),
        ),
      },
    ] as const
  return Object.fromEntries([
    ...indices.map(table),
    ...indices.slice(1).map(relationship),
    ...indices.slice(0, resources - 2 * count + 1).map(permission),
  ])
}

/** The properties with the table they belong to, by output or by plain text, and what comes before. */
const placing =
  (references: References) =>
  (i: number, properties: object, ...after: readonly string[]) =>
    references === 'outputs' || i % 2 === 0
      ? {
          properties: { ...properties, table: `\${t${i}.table}` },
          options: { dependsOn: after.map((name) => `\${${name}}`) },
        }
      : { properties: { ...properties, table: { name: `t${i}` } } }

const mine = { _eq: 'X-Svc-User-Id' }

/** Names of the resources that something is said of, with the first line of it. */
export const complaints = (
  said: readonly Diagnosis[],
): readonly (readonly [severity: string, name: string, text: string])[] =>
  said
    .filter(({ urn }) => urn !== '' && !urn.includes('pulumi:pulumi:Stack'))
    .map((one) => [one.severity, nameOf(one), one.message.trim()])

/** Updates until nothing is left to do, and reports after how many updates; gives up after `most`. */
export async function updateUntilDone(
  project: PulumiProject,
  parallelism: number,
  most: number,
  ...args: readonly string[]
): Promise<number> {
  for (let updates = 1; ; updates++) {
    const { code, stdout, stderr } = await project.run(
      'up',
      '--yes',
      '--skip-preview',
      `--parallel=${parallelism}`,
      ...args,
    )
    if (code === 0) return updates
    if (updates === most) throw new Error(`not done after ${most} updates:\n${stdout}${stderr}`)
  }
}

/**
 * `npm run bench -- provider [RESOURCES] [ROUNDS]`: the real Terraform with 1,000 resources of this provider, compared
 * with as many of the built-in `terraform_data`, taking turns. The goals: plan at most 1.3 times the built-in one plus
 * 3 s, apply at most its apply plus 3 s, at most 3 ms of CPU a resource in the provider, 1 ms of it in our handlers,
 * ready after at most 200 ms, at most 120 MB.
 */
import { declareStack, startRow } from '../../test/terraform/many-resources.ts'
import { createTerraformFolder } from '../../test/terraform/terraform.ts'
import { measureHandlers } from './handlers.ts'
import { type Timed, timed } from './timed.ts'

const resources = Number(process.argv[2] ?? 1000)
const rounds = Number(process.argv[3] ?? 3)

type CleanUp = () => Promise<void> | void
const cleanUps: CleanUp[] = []
const t = { after: (cleanUp: CleanUp) => cleanUps.push(cleanUp) }

const builtIn = (count: number) =>
  JSON.stringify({
    resource: {
      terraform_data: Object.fromEntries(
        Array.from({ length: count }, (_, i) => [`d${i}`, { input: { name: `t${i}`, columns: ['id', 'owner'] } }]),
      ),
    },
  })

async function main(): Promise<void> {
  const engine = await startRow(resources, t)
  const ours = await createTerraformFolder(engine, t)
  await declareStack(ours, { resources, references: 'outputs' })
  const theirs = await createTerraformFolder(engine, t)
  await theirs.write('main.tf.json', builtIn(resources))
  for (const folder of [ours, theirs]) await folder.run('version')

  const apply = ['apply', '-no-color', '-auto-approve']
  const destroy = ['destroy', '-no-color', '-auto-approve']
  const plan = ['plan', '-no-color', '-detailed-exitcode']
  const applies: { ours: Timed; theirs: Timed }[] = []
  const plans: { ours: Timed; theirs: Timed }[] = []
  for (let round = 0; round < rounds; round++) {
    if (round > 0) for (const folder of [ours, theirs]) await folder.succeed(...destroy)
    applies.push({ ours: await timed(ours, ...apply), theirs: await timed(theirs, ...apply) })
    for (let i = 0; i < 2; i++) plans.push({ ours: await timed(ours, ...plan), theirs: await timed(theirs, ...plan) })
  }
  const { resources: kept } = await ours.state()
  const instances = kept.flatMap(({ type, instances }) =>
    instances.map(({ attributes }) => ({ typeName: type, attributes: attributes as never })),
  )
  report(applies, plans, await measureHandlers(engine, instances))
}

function report(
  applies: readonly { ours: Timed; theirs: Timed }[],
  plans: readonly { ours: Timed; theirs: Timed }[],
  handlers: number,
): void {
  const seconds = (runs: readonly Timed[]) => least(runs.map((run) => run.seconds))
  const [apply, builtInApply] = [seconds(applies.map(({ ours }) => ours)), seconds(applies.map(({ theirs }) => theirs))]
  const [plan, builtInPlan] = [seconds(plans.map(({ ours }) => ours)), seconds(plans.map(({ theirs }) => theirs))]
  const cpu = (runs: readonly Timed[]) =>
    least(runs.map(({ usages }) => usages.reduce((sum, usage) => sum + usage.cpu, 0))) / resources
  const usages = [...plans, ...applies].flatMap(({ ours }) => ours.usages)
  const row = (goal: string, measured: number, most: number) => ({ goal, measured: round(measured), most: round(most) })
  console.log(`${resources} resources, ${rounds} rounds, the best of each`)
  console.table([
    row('plan, s', plan, 1.3 * builtInPlan + 3),
    row('apply, s', apply, builtInApply + 3),
    row('CPU of the provider a resource in a plan, ms', cpu(plans.map(({ ours }) => ours)), 3),
    row('CPU of the provider a resource in an apply, ms', cpu(applies.map(({ ours }) => ours)), 3),
    row('CPU of our handlers a resource in a plan, ms', handlers, 1),
    row('start to ready, ms', least(usages.map(({ ready }) => ready)), 200),
    row('most memory, MB', Math.max(...usages.map(({ megabytes }) => megabytes)), 120),
  ])
  console.log(`the built-in terraform_data: plan ${round(builtInPlan)} s, apply ${round(builtInApply)} s`)
}

const least = (numbers: readonly number[]) => Math.min(...numbers)
const round = (number: number) => Math.round(number * 100) / 100

try {
  await main()
} finally {
  for (const cleanUp of cleanUps.reverse()) await cleanUp()
}

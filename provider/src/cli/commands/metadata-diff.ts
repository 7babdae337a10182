import { resolve } from 'node:path'
import { equalJson, type JsonObject, type MetadataDocument, writeMetadata } from '@svc/schema'
import { Command, Option } from 'commander'
import { createTwoFilesPatch } from 'diff'
import { type PlannedChange, planChanges, redactDocument, renderChange, renderDifference } from '../../core/index.ts'
import { printYaml } from '../../directory/index.ts'
import type { CommandContext, Run } from '../command-context.ts'
import { printAs } from '../output-format.ts'
import { readAllOfBoth, readNoted, readProject, readProjectAndLive } from '../read-project.ts'

const diffTypes = ['yaml', 'json', 'unified-yaml', 'unified-json'] as const
type DiffType = (typeof diffTypes)[number]

interface DiffFlags {
  readonly type?: DiffType
  readonly exitCode?: boolean
}

interface Side {
  readonly label: string
  readonly document: MetadataDocument
}

/** `svc metadata diff [d1] [d2]`: engine and project, project and a directory, or two directories. */
export function diffCommand(run: Run): Command {
  const command = new Command('diff')
    .description('compare the engine with the project, the project with a directory, or two directories')
    .argument('[from]', 'a metadata directory or file')
    .argument('[to]', 'a metadata directory or file')
    .addOption(new Option('--type <type>', 'how to print differences').choices(diffTypes))
    .option('--exit-code', 'exit with 2 if there are differences')
  return run(command, async (context, { type, exitCode }: DiffFlags, from?: string, to?: string) => {
    // what both have stands around the differences of a patch
    const isPatch = type === 'unified-json' || type === 'unified-yaml'
    const [left, right] = await sides(context, from, to, isPatch ? readAllOfBoth : readProjectAndLive)
    const plan = planChanges(left.document, right.document)
    if (plan.changes.length === 0) {
      context.print('zero differences found')
      return 0
    }
    context.print(type === undefined ? listed(context, plan.changes) : typed(type, left, right, plan.changes))
    return exitCode ? 2 : 0
  })
}

async function sides(
  context: CommandContext,
  from: string | undefined,
  to: string | undefined,
  read: typeof readAllOfBoth,
): Promise<readonly [Side, Side]> {
  const { config, terminal } = context
  const directory = async (path: string): Promise<Side> => {
    const at = resolve(terminal.cwd, path)
    return { label: path, document: await readNoted(at, at, context.note) }
  }
  if (from !== undefined && to !== undefined) return [await directory(from), await directory(to)]
  if (from !== undefined) return [{ label: 'project', document: await readProject(context) }, await directory(from)]
  const { wanted, live } = await read(context, 'noted')
  return [
    { label: `${config.endpoint}`, document: live.document },
    { label: 'project', document: wanted },
  ]
}

function listed(context: CommandContext, changes: readonly PlannedChange[]): string {
  const paint = context.paint(context.terminal.out)
  return changes.map((change) => renderChange(change, paint)).join('\n')
}

function typed(type: DiffType, left: Side, right: Side, changes: readonly PlannedChange[]): string {
  switch (type) {
    case 'json':
    case 'yaml':
      return printAs(type, changes.map(structured))
    case 'unified-json':
      return unified(left, right, changes, (json) => `${JSON.stringify(json, null, 2)}\n`)
    case 'unified-yaml':
      return unified(left, right, changes, printYaml)
  }
}

/** An undefined side of a difference is printed as no key. */
const structured = ({ change, name, differences }: PlannedChange) =>
  ({ change, object: name, differences }) as unknown as JsonObject

/** The texts without their secrets; those that differ are named below them. */
function unified(
  left: Side,
  right: Side,
  changes: readonly PlannedChange[],
  print: (json: JsonObject) => string,
): string {
  const text = ({ document }: Side) => print(writeMetadata(redactDocument(document)))
  const patch = createTwoFilesPatch(left.label, right.label, text(left), text(right)).trimEnd()
  const secrets = changes.flatMap(({ name, differences }) =>
    differences
      .filter(({ old, new: now }) => equalJson(old, now))
      .map((one) => `# ${name.name}: ${renderDifference(one)}`),
  )
  return [patch, ...secrets].join('\n')
}

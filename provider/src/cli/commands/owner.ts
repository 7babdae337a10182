import { isRecord, type JsonObject, recordOf, recordsIn } from '@svc/schema'
import { Command } from 'commander'
import type { CommandContext, Run } from '../command-context.ts'
import { nameOrJson } from '../name-or-json.ts'

interface OwnerFlags {
  readonly object?: readonly JsonObject[]
  readonly of?: string
  readonly json?: boolean
}

/** `svc owner …`: shows and sets which stack or directory owns what (docs/ownership.md). */
export const ownerCommand = (run: Run): Command =>
  new Command('owner')
    .description('show, set, release and hand over the owners of objects')
    .addCommand(showCommand(run))
    .addCommand(
      changing(run, 'set', 'make an owner of what has no owner', ['owner'], ([owner]) => ({ owner, from: null })),
    )
    .addCommand(
      changing(run, 'release', 'leave what an owner has without one', ['owner'], ([from]) => ({ owner: null, from })),
    )
    .addCommand(
      changing(run, 'hand-over', 'give what an owner has to another one', ['from', 'to'], ([from, owner]) => ({
        owner,
        from,
      })),
    )

const withObjects = (command: Command): Command =>
  command.option(
    '--object <object>',
    'only these: a type such as table, or {"type":"table","key":{"source":"default"}}; may be given several times',
    nameOrJson('type'),
  )

const objectsIn = ({ object }: OwnerFlags): JsonObject => (object === undefined ? {} : { objects: object })

function showCommand(run: Run): Command {
  const command = withObjects(new Command('show').description('list what is owned, and by whom'))
    .option('--of <owner>', 'what this owner has')
    .option('--json', 'print it as JSON')
  return run(command, show)
}

async function show({ client, print }: CommandContext, flags: OwnerFlags): Promise<void> {
  const owner: JsonObject = flags.of === undefined ? {} : { owner: flags.of }
  const { body } = await client().send({ type: 'get_object_owners', args: { ...owner, ...objectsIn(flags) } })
  const owners = recordsIn(recordOf(body).owners)
  if (flags.json) return print(JSON.stringify(owners, null, 2))
  for (const { object, owner } of owners) print(`${isRecord(object) ? object.name : ''}: ${owner}`)
  if (owners.length === 0) print('nothing is owned')
}

function changing(
  run: Run,
  name: string,
  description: string,
  words: readonly string[],
  argsOf: (words: readonly string[]) => Readonly<Record<string, string | null | undefined>>,
): Command {
  const command = withObjects(new Command(name).description(description))
  for (const word of words) command.argument(`<${word}>`)
  return run(command, async ({ client, print }) => {
    const args = { ...argsOf(command.args), ...objectsIn(command.opts<OwnerFlags>()) } as JsonObject
    const { body } = await client().send({ type: 'set_object_owners', args })
    const changed = isRecord(body) ? Number(body.changed) : 0
    print(`${changed} ${changed === 1 ? 'object' : 'objects'} changed hands`)
  })
}

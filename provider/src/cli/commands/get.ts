import { type JsonObject, meantWord } from '@svc/schema'
import { Command } from 'commander'
import { idsOfKind, objectById, readLive } from '../../core/index.ts'
import { catalogue, type ResourceKind } from '../../resources/index.ts'
import type { CommandContext, Run } from '../command-context.ts'
import { ConfigError } from '../config.ts'
import { type OutputFormat, outputOption, printAs } from '../output-format.ts'

/** `svc get KIND [ID]`: one object of the live metadata, or the ids of all of its kind. */
export function getCommand(run: Run): Command {
  const command = new Command('get')
    .description('print one object of the metadata, or the ids of all objects of a kind')
    .argument('<kind>', 'a kind of resource: table, select_permission …')
    .argument('[id]', 'the id it is imported by, such as default/public/album')
    .addOption(outputOption('json', 'yaml'))
  return run(command, get)
}

function kindCalled(name: string): ResourceKind {
  const plain = name.replace(/^svc_/, '')
  const kind = catalogue.find((one) => one.name === plain || one.kind === name)
  if (kind) return kind
  const names = catalogue.map((one) => one.name)
  const meant = meantWord(plain, names)
  throw new ConfigError(
    `there is no kind ${name}${meant === null ? '' : `: did you mean ${meant}?`}; there are ${names.join(', ')}`,
  )
}

async function get(
  context: CommandContext,
  { output = 'yaml' }: { readonly output?: OutputFormat },
  called: string,
  id?: string,
): Promise<void> {
  const kind = kindCalled(called)
  const { document } = await readLive(context.client())
  const isOne = kind.identityPaths.length === 0
  if (id === undefined && !isOne) {
    const ids = idsOfKind(document, kind)
    context.print(output === 'json' ? JSON.stringify(ids, null, 2) : ids.join('\n'))
    return
  }
  context.print(printAs(output, found(document, kind, id ?? kind.name)))
}

function found(document: Parameters<typeof objectById>[0], kind: ResourceKind, id: string): JsonObject {
  const one = objectById(document, kind, id)
  switch (one.kind) {
    case 'found':
      return one.value
    case 'missing':
      throw new ConfigError(`the engine has no ${kind.name} ${id}. ${one.hint}`)
    case 'invalid':
      throw new ConfigError(`"${id}" is no id of a ${kind.name}: ${one.message}`)
  }
}

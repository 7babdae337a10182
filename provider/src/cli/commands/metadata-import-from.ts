import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { emptyDocument, isRecord, type MetadataDocument, readMetadata, writeMetadata } from '@svc/schema'
import { Command } from 'commander'
import { actorOf, createMetadataClient } from '../../client/index.ts'
import { countChanges, notServedYet, planChanges, renderChange } from '../../core/index.ts'
import { DirectoryError, readMetadataFrom, writeMetadataTo } from '../../directory/index.ts'
import { writeMigration } from '../../migrations/index.ts'
import {
  type ReferenceMetadata,
  type ReferenceMigration,
  type Renamed,
  readReferenceDirectory,
  readReferenceEngine,
  renameMetadata,
  translateMetadata,
} from '../../reference/index.ts'
import { version } from '../../version.ts'
import type { CommandContext, Run } from '../command-context.ts'
import { noteWritten, pruneText, unusedFileText } from '../note-written.ts'

interface ImportFlags {
  readonly fromAdminSecret?: string
  readonly dryRun?: boolean
  readonly prune?: boolean
}

/**
 * `svc metadata import-from DIR|URL`: metadata of the reference, from its project or its running engine, becomes that of
 * the project. The engine is not touched: `svc metadata apply` comes after.
 */
export function importFromCommand(run: Run): Command {
  const command = new Command('import-from')
    .description("write another engine's (Hasura v2's) metadata into the metadata directory, in this engine's names")
    .argument('<from>', 'its project, metadata directory or file, or the address of the engine')
    .option('--from-admin-secret <secret>', 'of that engine (HASURA_GRAPHQL_ADMIN_SECRET)')
    .option('--dry-run', 'say what would be written, and write nothing')
    .option('--prune', pruneText)
  return run(command, importFrom)
}

async function importFrom(context: CommandContext, flags: ImportFlags, from: string): Promise<void> {
  const given = await readFrom(context, from, flags)
  for (const file of given.unused) context.note(`warning: ${unusedFileText(file)}`)
  const renamed = renameMetadata(given.metadata)
  const { metadata, translated, leftOut } = translateMetadata(renamed.metadata)
  const read = readMetadata(metadata)
  if (!read.ok) {
    await given.explain()
    throw new DirectoryError(`${from}: ${read.issue.path.join('.')}: ${read.issue.message}`)
  }
  const { metadataDirectory, project } = context.config
  const before = await previousDocument(metadataDirectory, project)
  const { changes } = planChanges(before, read.document)
  report(context, renamed, read.document)
  for (const one of translated) context.note(`translated: ${one}`)
  for (const key of leftOut) context.note(`no counterpart: ${key} is left out`)
  for (const one of given.leftOut) context.note(`no counterpart: ${one}`)
  const paint = context.paint(context.terminal.out)
  if (changes.length === 0) context.print('zero differences found')
  else context.print(changes.map((change) => renderChange(change, paint)).join('\n'))
  await copyMigrations(context, given.migrations.migrations, flags.dryRun === true)
  if (flags.dryRun) return
  noteWritten(
    context,
    await writeMetadataTo(metadataDirectory, writeMetadata(read.document), { prune: flags.prune === true }),
  )
  context.note(`${countChanges(changes)} in ${relative(context.terminal.cwd, metadataDirectory)}`)
  context.note('next: `svc metadata diff` and `svc deploy`')
}

/** Copies migrations into the project. One that it has already is unchanged, and is named where it differs. */
async function copyMigrations(
  { config, terminal, note, print }: CommandContext,
  migrations: readonly ReferenceMigration[],
  isDryRun: boolean,
): Promise<void> {
  const copied: string[] = []
  for (const { source, name, up, down } of migrations) {
    const folder = join(config.migrationsDirectory, source, name)
    const text = (file: string) => readFile(join(folder, file), 'utf8').catch(() => null)
    const before = await text('up.sql')
    if (before !== null) {
      if (before !== up || (await text('down.sql')) !== down)
        note(`kept: ${relative(terminal.cwd, folder)} is there already, and differs from what would be taken over`)
      continue
    }
    copied.push(source)
    if (!isDryRun) await writeMigration(folder, up, down)
  }
  for (const source of new Set(copied)) {
    const count = copied.filter((one) => one === source).length
    print(`+ ${count} ${count === 1 ? 'migration' : 'migrations'} of source ${source}`)
  }
}

async function readFrom(context: CommandContext, from: string, flags: ImportFlags): Promise<ReferenceMetadata> {
  const { terminal, config } = context
  if (!/^https?:\/\//.test(from)) return readReferenceDirectory(resolve(terminal.cwd, from))
  const secret = flags.fromAdminSecret ?? terminal.environment.HASURA_GRAPHQL_ADMIN_SECRET
  const client = createMetadataClient({
    endpoint: from,
    headerPrefix: 'x-hasura-',
    actor: actorOf(terminal.environment),
    userAgent: `svc/${version}`,
    insecure: config.insecure,
    signal: terminal.signal,
    ...(secret === undefined ? {} : { adminSecret: secret }),
    ...(config.certificateAuthority === undefined ? {} : { certificateAuthority: config.certificateAuthority }),
  })
  return readReferenceEngine(client)
}

/** What the directory has already; a folder without metadata has nothing. */
async function previousDocument(path: string, root: string): Promise<MetadataDocument> {
  const isThere = existsSync(/\.(json|ya?ml)$/.test(path) ? path : join(path, 'version.yaml'))
  return isThere ? (await readMetadataFrom(path, root)).document : emptyDocument
}

function report(
  { note }: CommandContext,
  { metadata, variables, sessionVariables, notRenamed }: Renamed,
  document: MetadataDocument,
): void {
  if (sessionVariables > 0)
    note(`renamed: ${sessionVariables} names of session variables, X-Hasura-… to X-Svc-… (docs/migration.md)`)
  for (const [old, name] of [...variables].sort())
    note(`renamed: environment variable ${old} is read as ${name} now: set it`)
  for (const one of notRenamed) note(`kept: ${one}`)
  const { remote_schemas: remotes } = metadata
  if (Array.isArray(remotes) && remotes.some((one) => isRecord(one) && one.permissions !== undefined))
    note(
      'needed: SVC_GRAPHQL_ENABLE_REMOTE_SCHEMA_PERMISSIONS=true where the engine runs, for permissions on remote schemas',
    )
  for (const [what, count] of notServedYet(document)) note(`no counterpart: ${count} ${what}: kept, and not served`)
}

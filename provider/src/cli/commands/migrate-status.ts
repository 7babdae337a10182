import { Command } from 'commander'
import { readMigrations, readState } from '../../migrations/index.ts'
import type { CommandContext, Run } from '../command-context.ts'
import { chosenSources, type SourceFlag } from './migration-arguments.ts'

/** `svc migrate status` */
export function statusCommand(run: Run): Command {
  const command = new Command('status')
    .description('compare the migrations with what the databases have')
    .option('--json', 'as JSON')
  return run(command, async (context, flags: SourceFlag & { readonly json?: boolean }) => {
    const sources = await Promise.all(
      (await chosenSources(context, flags)).map(async (source) => ({
        source,
        migrations: await statusOf(context, source),
      })),
    )
    if (flags.json) return context.print(JSON.stringify({ sources }, null, 2))
    for (const { source, migrations } of sources) {
      context.print(`${source}:`)
      for (const one of migrations) context.print(`  ${one.version}  ${one.state.padEnd(18)}  ${one.name}`)
      if (migrations.length === 0) context.print('  no migrations')
    }
  })
}

interface Status {
  readonly version: string
  readonly name: string
  readonly state: 'applied' | 'pending' | 'half applied' | 'applied, no files' | 'rolled back?'
}

async function statusOf({ client, config }: CommandContext, source: string): Promise<readonly Status[]> {
  const migrations = await readMigrations(config.migrationsDirectory, source)
  const { applied, dirty, names, conflicts } = await readState(client(), source)
  const stateOf = (version: string): Status['state'] => {
    if (dirty.has(version)) return 'half applied'
    if (conflicts.includes(version)) return 'rolled back?'
    return applied.has(version) ? 'applied' : 'pending'
  }
  const files = new Set(migrations.flatMap(({ version, squashes }) => [version, ...squashes]))
  const gone = [...applied].filter((version) => !files.has(version))
  return [
    ...migrations.map(({ version, name }) => ({ version, name, state: stateOf(version) })),
    ...gone.map((version) => ({ version, name: names.get(version) ?? '', state: 'applied, no files' as const })),
  ].sort((a, b) => (BigInt(a.version) < BigInt(b.version) ? -1 : 1))
}

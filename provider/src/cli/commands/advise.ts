import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Command } from 'commander'
import { advise, readSilence, readSourceFacts, type SourceFacts, silenceFile } from '../../advice/index.ts'
import { ClientError } from '../../client/index.ts'
import { hidePasswords, readLive } from '../../core/index.ts'
import { shown } from '../../directory/index.ts'
import { adviceLines } from '../advice-text.ts'
import type { CommandContext, Run } from '../command-context.ts'
import { lineOf } from '../error-line.ts'

/**
 * `svc advise`: what a live engine's metadata allows and no one means (docs/advice.md). Exit 0 where there is nothing to say, 1
 * where there is, 2 where the engine or a source cannot be read.
 */
export function adviseCommand(run: Run): Command {
  const command = new Command('advise')
    .description("advice on a live engine's metadata: permissions, indexes, addresses")
    .option('--json', 'print JSON')
  return run(command, async (context, flags: { readonly json?: boolean }) => {
    try {
      return await adviseLive(context, flags.json === true)
    } catch (error) {
      if (context.terminal.signal.aborted) throw error
      context.note(`error: ${hidePasswords(lineOf(error))}`)
      return 2
    }
  })
}

async function adviseLive({ config, client, note, print }: CommandContext, json: boolean): Promise<number> {
  const path = join(config.project, silenceFile)
  const silence = existsSync(path) ? readSilence(await readFile(path, 'utf8'), shown(path)) : []
  const engine = client()
  const { document } = await readLive(engine)
  const facts = await readSourceFacts(engine, document, 'known').catch((error: unknown) => {
    if (!(error instanceof ClientError && error.body?.code === 'access-denied')) throw error
    note(
      'warning: the access token has no scope "sql": what the database knows is left out: indexes, sizes, the columns of "*"',
    )
    return new Map() as SourceFacts
  })
  const advice = advise(document, facts, silence)
  const open = advice.filter(({ silenced }) => silenced === null)
  if (json) print(JSON.stringify({ advice }, null, 2))
  else for (const line of adviceLines(advice)) print(line)
  if (!json) print(`${open.length} to consider, ${advice.length - open.length} silenced`)
  return open.length > 0 ? 1 : 0
}

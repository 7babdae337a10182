import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Command } from 'commander'
import { advise, readSilence, readSourceFacts, silenceFile } from '../../advice/index.ts'
import { hidePasswords, readLive } from '../../core/index.ts'
import { shown } from '../../directory/index.ts'
import { adviceLines } from '../advice-text.ts'
import type { CommandContext } from '../command-context.ts'
import { lineOf } from '../error-line.ts'
import type { Run } from '../run-command.ts'

/**
 * `svc advise`: what a live engine's metadata allows and nobody means (docs/advice.md). Exit 0 where there is nothing to say, 1
 * where there is, 2 where the engine or a source cannot be read.
 */
export function adviseCommand(run: Run): Command {
  const command = new Command('advise')
    .description("advice on a live engine's metadata: permissions, indexes, addresses")
    .option('--json', 'print JSON')
  return command.action((flags: { readonly json?: boolean }) =>
    run(command, async (context) => {
      try {
        return await adviseLive(context, flags.json === true)
      } catch (error) {
        if (context.terminal.signal.aborted) throw error
        context.note(`error: ${hidePasswords(lineOf(error))}`)
        return 2
      }
    }),
  )
}

async function adviseLive({ config, client, print }: CommandContext, json: boolean): Promise<number> {
  const path = join(config.project, silenceFile)
  const silence = existsSync(path) ? readSilence(await readFile(path, 'utf8'), shown(path)) : []
  const engine = client()
  const { document } = await readLive(engine)
  const advice = advise(document, await readSourceFacts(engine, document, 'known'), silence)
  const open = advice.filter(({ silenced }) => silenced === null)
  if (json) print(JSON.stringify({ advice }, null, 2))
  else for (const line of adviceLines(advice)) print(line)
  if (!json) print(`${open.length} to consider, ${advice.length - open.length} silenced`)
  return open.length > 0 ? 1 : 0
}

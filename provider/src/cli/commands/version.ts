import { Command } from 'commander'
import { ClientError } from '../../client/index.ts'
import { version } from '../../version.ts'
import type { Run } from '../command-context.ts'

/** `svc version`: of the command, and of the engine where one can be reached. */
export function versionCommand(run: Run): Command {
  const command = new Command('version').description('show the version of this command and of the engine')
  return run(command, async (context) => {
    context.print(`svc ${version}`)
    if (context.config.endpoint === null) return
    const engine = await context
      .client()
      .engineVersion()
      .catch((error: unknown) => {
        if (error instanceof ClientError) return `unknown: ${error.message}`
        throw error
      })
    context.print(`engine ${engine}`)
  })
}

import { once } from 'node:events'
import { Command } from 'commander'
import { credentialOf, readLive, trustedCertificates } from '../../client/index.ts'
import type { CommandContext, Run } from '../command-context.ts'
import { wholeNumberUpTo } from '../whole-number.ts'

interface Options {
  readonly port: number
}

/** `svc console`: the console's page for an engine elsewhere, until it is interrupted. */
export function consoleCommand(run: Run): Command {
  const command = new Command('console')
    .description("serve the console's page for the engine, on this machine alone")
    .option('--port <number>', 'the port to serve it at (default: a free one)', wholeNumberUpTo(65_535), 0)
  return run(command, serve)
}

async function serve({ client, config, terminal, print, note }: CommandContext, { port }: Options): Promise<void> {
  // what no other command has a use for
  const [{ readConsolePage }, { serveConsole }] = await Promise.all([
    import('../console-page.ts'),
    import('../serve-console.ts'),
  ])
  const asked = client()
  const page = readConsolePage(await asked.headerPrefix())
  // a wrong address or credential is said here, where it can be mended
  await readLive(asked)
  const served = await serveConsole(
    page,
    {
      endpoint: asked.endpoint,
      credential: credentialOf(config, 'x-svc-'),
      tls: {
        rejectUnauthorized: !config.insecure,
        ...(config.certificateAuthority !== undefined && { ca: trustedCertificates(config.certificateAuthority) }),
      },
    },
    port,
  )
  print(served.url)
  note(`the console of ${asked.endpoint}; anyone who has the address asks as svc does; Ctrl-C ends it`)
  if (!terminal.signal.aborted) await once(terminal.signal, 'abort')
  await served.close()
}

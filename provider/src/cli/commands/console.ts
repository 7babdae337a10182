import { once } from 'node:events'
import { Command, InvalidArgumentError } from 'commander'
import { credentialOf, readLive, trustedCertificates } from '../../client/index.ts'
import type { CommandContext } from '../command-context.ts'
import type { Run } from '../run-command.ts'

interface Options {
  readonly port: number
}

/** `svc console`: the console's page for an engine elsewhere, until it is interrupted. */
export function consoleCommand(run: Run): Command {
  const command = new Command('console')
    .description("serve the console's page for the engine, on this machine alone")
    .option('--port <number>', 'the port to serve it at (default: a free one)', readPort, 0)
  return command.action((options: Options) => run(command, (context) => serve(context, options)))
}

function readPort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0
  if (port < 1 || port > 65_535) throw new InvalidArgumentError('a port is a number from 1 to 65535.')
  return port
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

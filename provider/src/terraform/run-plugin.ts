import { lazily } from '../lazily.ts'
import { encodedSchema } from './encoded-schema.ts'
import { loadAnswering } from './load.ts'
import type { Environment } from './make-provider.ts'
import { makeCertificate } from './process/certificate.ts'
import { handshakeLine, readTerms, reattachText, type Terms } from './process/handshake.ts'
import { holdLifeline } from './process/lifeline.ts'
import { logLine } from './process/log.ts'
import { startPluginServer } from './process/plugin-server.ts'
import { tuneNode } from './process/tune-node.ts'
import { providerService } from './requests/provider-service.ts'

/** The address that --debug names, by which Terraform finds a reattached provider. */
const DEBUG_SOURCE = 'registry.terraform.io/svc/svc'

/** Runs the provider until Terraform is done with it. Ends the process. */
export async function runPlugin(given: readonly string[], environment: Environment): Promise<void> {
  const isDebug = given.includes('--debug')
  const terms: Terms = { clientCertificate: null, socketDirectory: null }
  const read = isDebug ? terms : readTerms(environment)
  if ('refusal' in read) {
    process.stderr.write(`${read.refusal}\n`)
    process.exit(1)
  }
  tuneNode()
  const answering = lazily(() => loadAnswering(environment))
  const schema = encodedSchema === null ? null : Buffer.from(encodedSchema, 'base64')
  const certificate = read.clientCertificate === null ? null : makeCertificate(new Date())
  const complain = (doing: string, error: unknown) =>
    process.stderr.write(logLine('error', `failed while it ${doing}: ${stackOf(error)}`))
  const leave = () => {
    server.close()
    process.exit(0)
  }
  const server = await startPluginServer(providerService(answering, complain, schema), read, certificate, leave)
  holdLifeline(leave)
  process.on('uncaughtException', (error) => complain('did nothing in particular', error))
  process.on('unhandledRejection', (error) => complain('did nothing in particular', error))
  if (isDebug) {
    const reattach = reattachText(sourceOf(given), server.place, process.pid)
    process.stdout.write(`Provider started. Terraform finds it with\n\n\tTF_REATTACH_PROVIDERS='${reattach}'\n\n`)
    return
  }
  // Where it reaches no one, the process that started this one had ended before it had read which that is, and would
  // never be missed.
  process.stdout.write(handshakeLine(server.place, certificate), (error) => {
    if (error) leave()
  })
}

const sourceOf = (given: readonly string[]) =>
  given.find((argument) => argument.startsWith('--source='))?.slice('--source='.length) ?? DEBUG_SOURCE

const stackOf = (error: unknown) => (error instanceof Error ? (error.stack ?? error.message) : String(error))

/** The entry of `terraform-provider-svc`, which the build makes one file of. Nothing heavy before the handshake. */
import { runPlugin } from './terraform/index.ts'

runPlugin(process.argv.slice(2), process.env).catch((error: unknown) => {
  process.stderr.write(`terraform-provider-svc did not start: ${error instanceof Error ? error.stack : error}\n`)
  process.exitCode = 1
})

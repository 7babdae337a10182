/** The entry of `pulumi-resource-svc`, which the build makes one file of. Nothing heavy before the port is printed. */
import { runPlugin } from './pulumi/index.ts'

runPlugin(process.argv.slice(2), process.env).catch((error: unknown) => {
  process.stderr.write(`pulumi-resource-svc did not start: ${error instanceof Error ? error.stack : error}\n`)
  process.exitCode = 1
})

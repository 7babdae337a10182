/** `node tools/with-node24.js FILE ARGUMENTS…` runs a TypeScript file of this repository, whichever Node started it. */
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { launch } from '@svc/launcher'

process.argv.splice(1, 1)
if (process.env.npm_lifecycle_event !== undefined) endWithParent()
await launch(pathToFileURL(resolve(process.argv[1] ?? '')))

/** npm sends a signal that ends it to the shell between us only, which passes nothing on: `npm start` would go on for ever. */
function endWithParent() {
  const parent = process.ppid
  setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGTERM')
  }, 250).unref()
}

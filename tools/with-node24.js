/** `node tools/with-node24.js FILE ARGUMENTS…` runs a TypeScript file of this repository, whichever Node started it. */
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { launch } from '@svc/launcher'

process.argv.splice(1, 1)
await launch(pathToFileURL(resolve(process.argv[1] ?? '')))

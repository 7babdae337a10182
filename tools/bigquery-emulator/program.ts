import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The Go module that pins it. */
export const emulatorModule: string = fileURLToPath(new URL('.', import.meta.url))

const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache')

/** The executable; its folder says what it is built of. */
export const emulatorFile: string = join(
  cache,
  'svc',
  `bigquery-emulator-${hashOf('go.mod', 'go.sum')}`,
  'bigquery-emulator',
)

export const isEmulatorBuilt = (): boolean => existsSync(emulatorFile)

/**
 * Its environment. The analyzer is WebAssembly, which is compiled once into a folder next to the executable: it starts in one
 * second instead of a minute then.
 */
export const emulatorEnvironment: Readonly<Record<string, string>> = {
  GOOGLESQLITE_WASM_COMPILATION_MODE: 'compiler',
  GOOGLESQLITE_WASM_CACHE_DIR: join(dirname(emulatorFile), 'wasm'),
}

function hashOf(...files: readonly string[]): string {
  const hash = createHash('sha256')
  for (const file of files) hash.update(readFileSync(join(emulatorModule, file)))
  return hash.digest('hex').slice(0, 16)
}

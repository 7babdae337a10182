/** Where tests put a database that lives no longer than they do. */
import { statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

const memory = '/dev/shm'
const gigabyte = 1024 ** 3

/**
 * A folder for temporary files that is in memory that has space for the databases of all tests, and otherwise on disk: the
 * three hundred files of a new database take a tenth of a second of the processor on a disk, and a hundredth in memory.
 */
export function fastFolder(): string {
  if (process.env.TMPDIR !== undefined) return tmpdir()
  try {
    const { bavail, bsize } = statfsSync(memory)
    return bavail * bsize > 3 * gigabyte && process.availableMemory() > 4 * gigabyte ? memory : tmpdir()
  } catch {
    return tmpdir() // no Linux
  }
}

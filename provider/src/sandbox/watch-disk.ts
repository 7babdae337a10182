import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'

const intervalMilliseconds = 500

const blockBytes = 512

/**
 * Calls `onFull` once folders take more bytes of the disk than that. They are measured twice a second, so it may be more by what is written
 * in between. Returns what ends the watching.
 */
export function watchDisk(
  folders: () => Promise<readonly string[]>,
  mostBytes: number,
  onFull: () => void,
): () => void {
  let timer: NodeJS.Timeout
  let isOver = false
  const measure = async () => {
    const sizes = await Promise.all((await folders()).map(bytesBelow))
    if (sizes.reduce((sum, size) => sum + size, 0) > mostBytes) {
      if (!isOver) onFull()
      return
    }
    wait()
  }
  const wait = () => {
    if (!isOver) timer = setTimeout(() => void measure(), intervalMilliseconds)
  }
  wait()
  return () => {
    isOver = true
    clearTimeout(timer)
  }
}

/** What goes away while it is measured takes nothing. */
async function bytesBelow(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true }).catch(() => [])
  const sizes = await Promise.all(
    names.map((name) =>
      lstat(join(folder, name)).then(
        // Windows knows no blocks
        ({ blocks, size }) => (blocks === undefined ? size : blocks * blockBytes),
        () => 0,
      ),
    ),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'

const longestPause = 500
const shortestPause = 20

/** More than what a database writes in a millisecond. */
const bytesPerMillisecond = 2_000_000

const blockBytes = 512

/**
 * Calls `onFull` once folders take more bytes of the disk than that. They are measured twice a second, and more often the less is
 * left, so that it may be more by what is written in 20 ms and while it is measured. Returns what ends the watching.
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
    const left = mostBytes - sizes.reduce((sum, size) => sum + size, 0)
    if (left >= 0) wait(left)
    else if (!isOver) onFull()
  }
  const wait = (left: number) => {
    const pause = Math.min(longestPause, Math.max(shortestPause, left / bytesPerMillisecond))
    if (!isOver) timer = setTimeout(() => void measure(), pause)
  }
  wait(mostBytes)
  return () => {
    isOver = true
    clearTimeout(timer)
  }
}

/** A file that is deleted while the folder is measured counts as empty. */
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

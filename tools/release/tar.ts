import { gzipSync } from 'node:zlib'

export interface ArchivedFile {
  readonly path: string
  readonly content: Uint8Array
  readonly executable?: boolean
}

const BLOCK = 512

/**
 * A gzipped tar (POSIX ustar) of files, the same for the same content whenever it is made. Throws Error for a path above
 * 100 bytes.
 */
export function tarGz(files: readonly ArchivedFile[]): Buffer {
  const parts = files.flatMap(({ path, content, executable }) => [
    header(path, content.length, executable ?? false),
    content,
    Buffer.alloc((BLOCK - (content.length % BLOCK)) % BLOCK),
  ])
  return gzipSync(Buffer.concat([...parts, Buffer.alloc(2 * BLOCK)]), { level: 9 })
}

function header(path: string, size: number, executable: boolean): Buffer {
  if (Buffer.byteLength(path) > 100) throw new Error(`${path} is too long for an archive`)
  const block = Buffer.alloc(BLOCK)
  const octal = (value: number, at: number, width: number) =>
    block.write(`${value.toString(8).padStart(width - 1, '0')}\0`, at)
  block.write(path, 0)
  octal(executable ? 0o755 : 0o644, 100, 8)
  octal(0, 108, 8) // owner and group
  octal(0, 116, 8)
  octal(size, 124, 12)
  octal(NO_DATE, 136, 12)
  block.write('        ', 148) // the sum counts itself as blanks
  block.write('0', 156) // a file
  block.write('ustar\x0000', 257)
  octal(
    block.reduce((sum, byte) => sum + byte, 0),
    148,
    7,
  )
  return block
}

/** 2020-01-01, as a zip cannot be older than 1980. */
const NO_DATE = Date.UTC(2020, 0, 1) / 1000

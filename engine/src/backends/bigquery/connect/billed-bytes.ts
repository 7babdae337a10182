import type { BilledBytes } from './run-job.ts'

const megabyte = 1_048_576

/**
 * Bytes that a query is billed for: what the service says, or what follows from the bytes it has read (whole megabytes, at
 * least ten; nothing for results that were cached).
 */
export function billedBytes({ totalBytesProcessed, totalBytesBilled, cacheHit }: BilledBytes): number {
  if (totalBytesBilled !== undefined) return Number(totalBytesBilled)
  const read = cacheHit ? 0 : Number(totalBytesProcessed ?? 0)
  return read === 0 ? 0 : Math.max(10, Math.ceil(read / megabyte)) * megabyte
}

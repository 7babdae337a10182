import { readFileSync } from 'node:fs'

/** Milliseconds of CPU that a process has used. */
export function cpuOf(pid: number): number {
  const [, user = 0, system = 0] =
    /\) (?:\S+ ){11}(\d+) (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.map(Number) ?? []
  return (user + system) * 10
}

/** Megabytes. */
export function memoryOf(pid: number, key: 'VmRSS' | 'VmHWM'): number {
  return Math.round(
    Number(new RegExp(`${key}:\\s*(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1000,
  )
}

export const median = (list: readonly number[]): number => list.toSorted((a, b) => a - b)[list.length >> 1] ?? 0
export const quantile = (list: readonly number[], q: number): number =>
  list.toSorted((a, b) => a - b)[Math.min(list.length - 1, Math.floor(list.length * q))] ?? 0

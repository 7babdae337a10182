const seconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 }

/** The seconds of `90s`, `15m`, `2h` or `30d`; null for anything else. */
export function durationIn(text: string): number | null {
  const [, count, unit = ''] = /^(\d{1,9})([smhd])$/.exec(text) ?? []
  return count === undefined ? null : Number(count) * (seconds[unit] ?? 0)
}

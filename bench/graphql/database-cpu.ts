import { readdirSync, readFileSync } from 'node:fs'
import { run } from './store.ts'

/** Milliseconds of CPU of all processes of a PostgreSQL on this machine, to 10: those that ended are counted too. */
export async function databaseCpu(url: string): Promise<() => number> {
  // one that stays: the checkpointer
  const [row] = await run(url, 'SELECT pid FROM pg_stat_activity WHERE backend_type = $$checkpointer$$')
  const postmaster = processOf(String(row?.pid))?.parent
  return () =>
    readdirSync('/proc')
      .map(processOf)
      .filter((one) => one !== null)
      .filter(({ pid, parent }) => parent === postmaster || pid === postmaster)
      .reduce((sum, { ticks }) => sum + ticks * 10, 0)
}

/** `ticks` of it and of its children that ended. */
function processOf(pid: string): { readonly pid: string; readonly parent: string; readonly ticks: number } | null {
  if (!/^\d+$/.test(pid)) return null
  try {
    const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
    const [, parent = '', ...rest] = fields.split(' ')
    return { pid, parent, ticks: rest.slice(9, 13).reduce((sum, field) => sum + Number(field), 0) }
  } catch {
    // it ended since
    return null
  }
}

/** get_usage (docs/usage.md). */
import { getUsageArgs, type Json } from '@svc/schema'
import { defineRead, type ReadOperation } from '../requests/index.ts'
import { unused } from './unused.ts'
import type { UsageCounter } from './usage-counter.ts'

/** Operations that one answer lists. */
const mostOperations = 1000

const defaultDays = 7

/** `counter`: null where this instance counts nothing. */
export const getUsage = (counter: Pick<UsageCounter, 'flush'> | null): ReadOperation =>
  defineRead({
    type: 'get_usage',
    scope: 'read',
    effects: 'none',
    args: getUsageArgs,
    async answer({ days = defaultDays }, { draft, served }): Promise<Json> {
      const { usageLog } = served.store
      await counter?.flush()
      const operations = await usageLog.operations(days, mostOperations)
      return {
        counted: counter !== null,
        days,
        since: await usageLog.since(days),
        operations: operations.map(({ hash, name, role, type, count, last }) => ({
          hash: hash || null,
          name: name || null,
          role,
          type: type || null,
          count,
          last,
        })),
        unused: await unused(draft.model, usageLog, days),
      }
    },
  })

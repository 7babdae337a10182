import type { Json } from '@svc/schema'
import {
  checksMetadata,
  type Draft,
  readySource,
  reload,
  runCheckedSql,
  runPlainSql,
  type ServedMetadata,
  type UpdateDraft,
  withCurrentModel,
} from '../changes/index.ts'
import type { Warning } from '../metadata/index.ts'
import { runRowOperation } from '../row-api/index.ts'
import { type AuthorizedRequest, traced } from './authorized-request.ts'
import type { RowCommand } from './command.ts'
import { type Outcome, withWarnings } from './outcome.ts'
import type { CheckStep } from './owned-objects.ts'
import type { RanAlready } from './request-effects.ts'

/** Characters of values, and bytes of an answer, of one operation on rows. */
const most = 1_073_741_824

/** SQL or rows as a member of a bulk: they are there at once; what they mean for metadata is stored with the bulk. */
export async function runRows(
  command: RowCommand,
  draft: Draft,
  asked: AuthorizedRequest,
  served: ServedMetadata,
  done: RanAlready,
  checkStep: CheckStep | null,
): Promise<Outcome> {
  const ran = done.get(command)
  if (ran) return { draft: ran.adapt ? ran.adapt(draft) : draft, answer: ran.answer, touched: [] }
  const { path } = command
  if (command.kind === 'rows') {
    const { session, facts } = asked
    const more = {
      ...(facts.trace && { trace: facts.trace }),
      ...(facts.validate && { validate: facts.validate }),
      ...(facts.gone && { signal: facts.gone }),
    }
    const answer = await runRowOperation(command.operation, { model: draft.model, session, ...more, path, most })
    done.set(command, { answer, adapt: null })
    return { draft, answer, touched: [] }
  }
  const { args, sourceKind } = command
  const { source } = args
  readySource(draft, source, path, sourceKind)
  if (!checksMetadata(args)) {
    const answer: Json = { ...(await runPlainSql(draft, traced(args, asked), path)) }
    done.set(command, { answer, adapt: null })
    return { draft: { ...draft, reread: new Set() }, answer, touched: [] }
  }
  const before = withCurrentModel({
    ...draft,
    states: await reload(served.sources, draft.states, [source]),
    reread: new Set(),
  })
  let after = before
  let adaptation: UpdateDraft = (other) => other
  let warnings: readonly Warning[] = []
  const ranSql = await runCheckedSql(before, traced(args, asked), path, async (adapt) => {
    adaptation = adapt
    after = adapt(before)
    // while the SQL can still be rolled back
    warnings = checkStep?.(before.document, after.document, () => path) ?? []
  })
  const answer = withWarnings({ ...ranSql }, warnings)
  done.set(command, { answer, adapt: adaptation })
  return { draft: after, answer, touched: [] }
}

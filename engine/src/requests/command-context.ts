import type { Json, Selection } from '@svc/schema'
import { checkNoNew, type Draft, runEffectsEarly, type ServedMetadata } from '../changes/index.ts'
import { ApiError, errorBody, type Path } from '../errors.ts'
import { success } from '../metadata/index.ts'
import { approvedDraft } from './as-drafted.ts'
import { type AuthorizedRequest, detailed } from './authorized-request.ts'
import type { Command } from './command.ts'
import type { CommandContext } from './evaluate.ts'
import { checkSteps } from './owned-objects.ts'
import type { ReadContext } from './read-operation.ts'
import { reloadMetadata } from './reload-metadata.ts'
import type { RequestEffects } from './request-effects.ts'
import { runRows } from './run-rows.ts'

/** Returns the context of commands whose outcome may be stored. */
export function commandContext(
  served: ServedMetadata,
  asked: AuthorizedRequest,
  { done, early, announced, restored, overruled, failed }: RequestEffects,
): CommandContext {
  // a trigger that an earlier member has made captures what a later one writes
  const makeEarly = async ({ document, states }: Draft, path: Path) => {
    if (early) early.made = await runEffectsEarly(served, { document, states }, early.made, path)
  }
  // a request that changes metadata has the lock already, and would wait for itself
  const exclusively: ReadContext['exclusively'] = (work) =>
    early ? work(served.current) : served.exclusively(async () => work(await served.catchUp()))
  // what ran in an earlier try is not checked again: whom it overruled is noted again
  const noted = async <Result>(command: Command, run: () => Promise<Result>): Promise<Result> => {
    const before = overruled.length
    overruled.push(...(done.get(command)?.overruled ?? []))
    const result = await run()
    const ran = done.get(command)
    if (ran) done.set(command, { ...ran, overruled: overruled.slice(before) })
    return result
  }
  return {
    sources: served.sources,
    remoteSchemas: served.remoteSchemas,
    bodyOf: (error, document) => errorBody(detailed(asked, error, document), asked.showInternal) as Json,
    read: (command, draft) =>
      noted(command, async () => {
        const { operation, version, path } = command
        const ran = done.get(command)
        if (ran) return ran.answer
        const { session, facts } = asked
        if (operation.effects === 'lasting') await makeEarly(draft, path)
        const answer = await operation.answer({ draft, served, session, facts, version, path, exclusively, overruled })
        // what only reads is to show the document that is stored in the end
        if (operation.effects === 'lasting') done.set(command, { answer, adapt: null })
        return answer
      }),
    async rows(command, draft) {
      if (!done.has(command)) await makeEarly(draft, command.path)
      const outcome = await noted(command, () => runRows(command, draft, asked, served, done, this.checkStep))
      // metadata does not show how the tables changed
      if (command.kind === 'run-sql' && done.get(command)?.adapt) announced.push({ sources: [command.args.source] })
      return outcome
    },
    async reload(command, draft) {
      const isOne = command.type === 'reload_remote_schema'
      if (isOne) requireRemotes(draft, command.args.reload_remote_schemas, command.path)
      const reloaded = await reloadMetadata(draft, command.args, command.path, served.sources, this.remoteSchemas)
      if (isOne) checkNoNew(draft.model, reloaded.draft.model, command.path)
      const { sources, remoteSchemas } = reloaded
      if (sources.length > 0 || remoteSchemas.length > 0) announced.push({ sources, remoteSchemas })
      restored.push(...reloaded.restored)
      return { draft: reloaded.draft, answer: isOne ? success : reloaded.answer, touched: [] }
    },
    wentOnAfter: ({ code }, { keys }) =>
      void failed.push({ place: keys.filter((key) => typeof key === 'number'), code }),
    checkStep: checkSteps(served, asked, overruled),
    changedAfter: once((version: number) => served.changedAfter(version)),
    approved: once((hash: string) => approvedDraft(served.store, hash)),
  }
}

function requireRemotes({ remotes }: Draft, names: Selection, path: Path): void {
  const missing = Array.isArray(names) ? names.find((name) => !remotes.has(name)) : undefined
  if (missing !== undefined)
    throw new ApiError('not-exists', path, `remote schema with name "${missing}" does not exist`)
}

/** Members of a bulk mostly go out from the same version, and of the same draft. */
function once<Key, Answer>(ask: (key: Key) => Promise<Answer>): (key: Key) => Promise<Answer> {
  const asked = new Map<Key, Promise<Answer>>()
  return (key) => {
    const answer = asked.get(key) ?? ask(key)
    asked.set(key, answer)
    return answer
  }
}

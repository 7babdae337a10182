/** The operations on drafts (docs/drafts.md), but for those that change metadata. */
import { countDraftRowsArgs, ignoredArgs, type Json, namedDraftArgs } from '@svc/schema'
import { success } from '../metadata/index.ts'
import { countRows } from '../preview/index.ts'
import { defineRead, type ReadOperation } from '../requests/index.ts'
import { unknownDraft } from './draft-key.ts'
import type { DraftModels } from './draft-models.ts'

const listDrafts = defineRead({
  type: 'list_drafts',
  effects: 'none',
  scope: 'read',
  args: ignoredArgs,
  answer: async (_, { served }) => ({ drafts: await served.store.drafts.list() }),
})

/** Only with the admin secret: what the draft says may be read from now on. */
const openDraft = defineRead({
  type: 'open_draft',
  effects: 'lasting',
  scope: null,
  args: namedDraftArgs,
  async answer({ hash }, { served, path }) {
    if (await served.store.drafts.open(hash)) return success
    throw unknownDraft(path.at('hash'))
  },
})

const dropDraft = defineRead({
  type: 'drop_draft',
  effects: 'lasting',
  scope: null,
  args: namedDraftArgs,
  async answer({ hash }, { served, path }) {
    if (await served.store.drafts.drop(hash)) return success
    throw unknownDraft(path.at('hash'))
  },
})

const defaultTimeLimit = 5_000

/**
 * How many more and fewer rows each role sees: with the admin secret only, since a filter can read anything of a table.
 */
const countDraftRows = (models: Pick<DraftModels, 'modelOf'>): ReadOperation =>
  defineRead({
    type: 'count_draft_rows',
    effects: 'none',
    scope: null,
    args: countDraftRowsArgs,
    async answer({ hash, time_limit: limit = defaultTimeLimit, session = {} }, { served, path }): Promise<Json> {
      const draft = await served.store.drafts.ofHash(hash)
      if (!draft) throw unknownDraft(path.at('hash'))
      const after = await models.modelOf(draft, path)
      return countRows(served.current.model, after, { milliseconds: limit, variables: session })
    },
  })

export const draftOperations = (models: Pick<DraftModels, 'modelOf'>): readonly ReadOperation[] => [
  listDrafts,
  openDraft,
  dropDraft,
  countDraftRows(models),
]

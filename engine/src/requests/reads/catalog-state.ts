/**
 * What clients of the metadata API keep with the catalogue (reference/metadata-operations#the-whole-document): the
 * migrations of a command line, say.
 */
import { ignoredArgs, type Json, setCatalogStateArgs } from '@svc/schema'
import { success } from '../../metadata/index.ts'
import { checkStorable } from '../check-storable.ts'
import { defineRead } from '../read-operation.ts'

/** get_catalog_state: `{id, cli_state, console_state}`. */
export const getCatalogState = defineRead({
  type: 'get_catalog_state',
  args: ignoredArgs,
  async answer(_, { served }) {
    const { id, cli, console } = await served.store.clientState()
    return { id, cli_state: cli, console_state: console }
  },
})

/** set_catalog_state: replaces one of the two. */
export const setCatalogState = defineRead({
  type: 'set_catalog_state',
  args: setCatalogStateArgs,
  async answer({ type, state }, { served, path }): Promise<Json> {
    checkStorable(state, path.at('state'))
    await served.store.setClientState(type, state)
    return success
  },
})

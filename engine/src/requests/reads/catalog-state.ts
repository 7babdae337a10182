/**
 * What clients of the metadata API store in the catalogue (reference/metadata-operations#the-whole-document): the
 * migrations of a command line, say.
 */
import { ignoredArgs, type Json, setCatalogStateArgs } from '@svc/schema'
import { success } from '../../metadata/index.ts'
import { defineRead } from '../read-operation.ts'

/** get_catalog_state: `{id, cli_state, console_state}`. */
export const getCatalogState = defineRead({
  type: 'get_catalog_state',
  scope: 'read',
  effects: 'none',
  args: ignoredArgs,
  async answer(_, { served }) {
    const { id, cli, console } = await served.store.clientStates.read()
    return { id, cli_state: cli, console_state: console }
  },
})

/** set_catalog_state: replaces one of the two. conflict where it is no longer what it is `expected` to be. */
export const setCatalogState = defineRead({
  type: 'set_catalog_state',
  scope: null,
  effects: 'lasting',
  args: setCatalogStateArgs,
  async answer({ type, state, expected = null }, { served, path }): Promise<Json> {
    if (!(await served.store.clientStates.write(type, state, expected)))
      throw path.error('conflict', `the ${type} state has been changed meanwhile`, 'expected')
    return success
  },
})

import type { Values } from '../resources/index.ts'
import { countBreaking } from './api-preview.ts'
import { warningOf } from './diagnostic.ts'
import type { EngineSession } from './engine-session.ts'
import { previewText } from './preview-text.ts'
import type { StateResult } from './provider.ts'

/**
 * Returns what the plan of this run means for users of the API. `isPlan` is false in an apply, of which nothing is
 * tried: what is not planned has no preview. Throws ClientError.
 */
export async function readPreview(session: EngineSession, inputs: Values, isPlan: boolean): Promise<StateResult> {
  const { settings, preview, spelling } = session
  const state = (found: Values): Values => ({ ...inputs, ...found })
  if (!isPlan || settings.previewChecks === 'off') {
    const reason = isPlan
      ? 'preview_checks is "off", so the engine was not asked what the plan changes.'
      : 'What it waits for was known only in the apply.'
    const nothing = { roles: [], operations: [] }
    return {
      state: state({
        preview: spelling === 'text' ? JSON.stringify(nothing) : nothing,
        text: '',
        breaking: 0,
        breaking_used: 0,
        broken_operations: 0,
        complete: false,
      }),
      diagnostics: [warningOf('there is no preview of this plan', reason)],
    }
  }
  const { found, isComplete, diagnostics } = await preview.describe(inputs.warn === 'any' ? 'any' : 'breaking')
  const { breaking, breakingUsed, operations } = countBreaking(found)
  return {
    state: state({
      preview: spelling === 'text' ? JSON.stringify(found) : found,
      text: previewText(found, 'text'),
      breaking,
      breaking_used: breakingUsed,
      broken_operations: operations,
      complete: isComplete,
    }),
    diagnostics,
  }
}

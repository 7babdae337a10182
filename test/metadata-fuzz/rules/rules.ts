/** The oracle: what each operation makes of the document, by its name without prefix. */
import type { Rules } from '../rule.ts'
import { actionRules } from './actions.ts'
import { fieldRules } from './fields.ts'
import { permissionRules } from './permissions.ts'
import { nativeRules, storedQueryRules } from './queries.ts'
import { remoteRules } from './remotes.ts'
import { settingsRules } from './settings.ts'
import { anySourceRules, sourceRules } from './sources.ts'
import { tableRules } from './tables.ts'
import { cronTriggerRules, eventTriggerRules } from './triggers.ts'
import { wholeRules } from './whole.ts'

/** Operations on what lies in a source, which are called with the prefix of its kind. */
export const inSources: Rules = {
  ...tableRules,
  ...fieldRules,
  ...permissionRules,
  ...nativeRules,
  ...sourceRules,
  ...eventTriggerRules,
}

const others: Rules = {
  ...anySourceRules,
  ...cronTriggerRules,
  ...storedQueryRules,
  ...actionRules,
  ...remoteRules,
  ...settingsRules,
  ...wholeRules,
}

export const rules: Rules = { ...inSources, ...others }

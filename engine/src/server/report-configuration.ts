import { referenceVariables, type ServerConfig, shownConfig, shownReferenceVariables } from '../config/index.ts'
import type { Observer } from '../observe/index.ts'

/** Reports the settings, and what is risky in them: the first thing that a start reports. */
export function reportConfiguration(config: ServerConfig, observer: Observer): void {
  if (config.secrets.length === 0) observer.report({ kind: 'admin-secret-missing', host: config.listenHost })
  const variables = referenceVariables(config.environment)
  if (variables.length > 0)
    observer.report({ kind: 'reference-variables-set', variables: shownReferenceVariables(variables) })
  observer.report({ kind: 'configured', settings: shownConfig(config) })
}

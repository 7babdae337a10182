import { type ServerConfig, shownConfig } from '../config/index.ts'
import type { Observer } from '../observe/index.ts'

/** What a start reports first: the settings, and what is risky in them. */
export function reportConfiguration(config: ServerConfig, observer: Observer): void {
  if (config.secrets.length === 0) observer.report({ kind: 'admin-secret-missing', host: config.listenHost })
  observer.report({ kind: 'configured', settings: shownConfig(config) })
}

import type { MssqlConfiguration } from '@svc/schema'
import type { ConfigurationContext } from '../../source-configuration.ts'

/** What a source's configuration says, environment variables read. */
export interface SourceSettings {
  readonly source: string
  readonly server: string
  readonly database: string
}

export function sourceSettings(
  source: string,
  _configuration: MssqlConfiguration,
  _context: ConfigurationContext,
): SourceSettings {
  return { source, server: '', database: '' }
}

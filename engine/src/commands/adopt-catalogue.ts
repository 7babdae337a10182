import { FatalError, type ServerConfig } from '../config/index.ts'
import { adoptCatalogue as adopt } from '../metadata/index.ts'
import { withMetadataDatabase } from './metadata-database.ts'

/** `adopt-catalogue`: from now on the events of the catalogue are sent by engines of --eventing-identity. Throws FatalError. */
export async function adoptCatalogue(config: ServerConfig): Promise<string> {
  const name = config.eventingIdentity
  if (name === null) throw new FatalError('Fatal Error: adopt-catalogue needs --eventing-identity NAME')
  const before = await withMetadataDatabase(config, (url) => adopt(url, name))
  if (before === name) return `the catalogue is that of "${name}" already`
  return `the catalogue is that of "${name}" now${before === null ? '' : `; it was that of "${before}"`}`
}

import { isRecord } from '@svc/schema'
import { FatalError, type ServerConfig } from '../config/index.ts'
import { startEmbedded } from '../embedded/index.ts'
import { ApiError } from '../errors.ts'
import { errorReport, redactUrl } from '../observe/index.ts'

/** Does something to the metadata database; an embedded one is started for it. Throws FatalError. */
export async function withMetadataDatabase<T>(
  { database }: ServerConfig,
  act: (url: string) => Promise<T>,
): Promise<T> {
  const embedded = database.kind === 'embedded' ? await startEmbedded({ dataDirectory: database.dataDirectory }) : null
  const url = database.kind === 'embedded' ? (embedded?.url ?? '') : database.metadataUrl
  try {
    return await act(url)
  } catch (error) {
    throw new FatalError(`${redactUrl(url)}: ${reasonOf(error)}`, { cause: error })
  } finally {
    await embedded?.stop()
  }
}

/** An answer to a client says less than the user of a command has to know. */
function reasonOf(error: unknown): string {
  const { message } = errorReport(error)
  if (!(error instanceof ApiError) || !isRecord(error.internal)) return message
  return `${message}: ${errorReport(String(error.internal.message)).message}`
}

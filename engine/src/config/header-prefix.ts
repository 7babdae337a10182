import { ownPrefix } from '../session.ts'

/** Proxies set such headers, or clients forge them: they must not become session variables. */
const others = ['x-forwarded-', 'x-b3-', 'x-request-', 'x-real-', 'x-ot-', 'x-amz-', 'x-amzn-']

/** --header-prefix, in lower case. Throws Error for one that no header or other headers begin with. */
export function readHeaderPrefix(given: string): string {
  const prefix = given.toLowerCase()
  if (!/^x-[a-z0-9]+(-[a-z0-9]+)*-$/.test(prefix))
    throw new Error(`expected a prefix like X-Hasura-, with X- before it and a hyphen at its end, but got "${given}"`)
  if (prefix !== ownPrefix && prefix.startsWith(ownPrefix))
    throw new Error(`"${given}" begins like ${shownPrefix(ownPrefix)}, which is always accepted`)
  if (others.includes(prefix)) throw new Error(`"${given}" is the prefix of headers that proxies set`)
  return prefix
}

/** x-hasura- -> X-Hasura- */
export const shownPrefix = (prefix: string): string => prefix.replace(/(^|-)[a-z]/g, (start) => start.toUpperCase())

/** Addresses a draft (docs/drafts.md). */
export const draftHeader = 'x-svc-draft'

const prefix = '/v1/drafts/'

/** Returns a path without the draft of `/v1/drafts/KEY/v1/graphql`, and its X-Svc-Draft or null. */
export function draftAddress(path: string): { readonly path: string; readonly draft: string | null } {
  if (!path.startsWith(prefix)) return { path, draft: null }
  const end = path.indexOf('/', prefix.length)
  if (end < 0) return { path, draft: null }
  return { path: path.slice(end), draft: path.slice(prefix.length, end) }
}

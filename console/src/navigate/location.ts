import { useEffect, useState } from 'preact/hooks'

/** A view: the parts of the address behind `#/`, and what is chosen in it. Each is a link, and the browser's back works. */
export interface Location {
  readonly parts: readonly string[]
  readonly query: URLSearchParams
}

function readLocation(hash: string): Location {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?')
  return { parts: path.split('/').filter(Boolean).map(decoded), query: new URLSearchParams(query) }
}

/** The address of a view. Empty values of the query are left out. */
export function addressOf(parts: readonly string[], query: Readonly<Record<string, string>> = {}): string {
  const chosen = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== '')).toString()
  return `#/${parts.map(encodeURIComponent).join('/')}${chosen && `?${chosen}`}`
}

export function useLocation(): Location {
  const [hash, set] = useState(location.hash)
  useEffect(() => {
    const follow = () => set(location.hash)
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  }, [])
  return readLocation(hash)
}

/** A mistyped address is shown as it stands. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

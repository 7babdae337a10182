import { render } from 'preact'
import { Console } from './console.tsx'

/** What the engine wrote into the page: where it is served, and how its headers begin. */
const said = (name: string) => document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? ''
const root = document.getElementById('console')
if (root) {
  const base = new URL(said('svc-base') || '.', location.href).href.replace(/\/$/, '')
  render(<Console base={base} headerPrefix={said('svc-header-prefix') || 'X-Svc-'} />, root)
}

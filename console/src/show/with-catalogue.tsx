import { useLoaded } from '../engine/use-loaded.ts'
import { Once } from './failure.tsx'

type Views = typeof import('../catalogue-views.ts')

/** A part of a page that knows all kinds of objects. The catalogue of these is loaded when it is first wanted. */
export function WithCatalogue({ children }: { readonly children: (views: Views) => preact.ComponentChildren }) {
  const [loaded, again] = useLoaded(() => import('../catalogue-views.ts'), [])
  return (
    <Once loaded={loaded} again={again}>
      {children}
    </Once>
  )
}

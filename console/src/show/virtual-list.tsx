import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'

interface Props<T> {
  readonly label: string
  readonly items: readonly T[]
  /** Pixels of each row. */
  readonly height: number
  readonly keyOf: (item: T) => string
  /** A link or button, so that the keyboard reaches it. */
  readonly row: (item: T) => ComponentChildren
}

/** Rows above and below those that are seen. */
const MORE = 8

/** A list of which only the rows that are seen stand in the page; the arrow keys walk through all of it. */
export function VirtualList<T>({ label, items, height, keyOf, row }: Props<T>) {
  const box = useRef<HTMLDivElement>(null)
  const [seen, see] = useState({ top: 0, height: 600 })
  const look = () => box.current && see({ top: box.current.scrollTop, height: box.current.clientHeight })
  useLayoutEffect(() => {
    look()
    if (!box.current) return
    const observer = new ResizeObserver(look)
    observer.observe(box.current)
    return () => observer.disconnect()
  }, [])
  const first = Math.max(0, Math.floor(seen.top / height) - MORE)
  const last = Math.min(items.length, Math.ceil((seen.top + seen.height) / height) + MORE)

  const walk = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    const at = (event.target as HTMLElement).closest<HTMLElement>('[aria-posinset]')
    if (step === 0 || !at || !box.current) return
    event.preventDefault()
    const next = box.current.querySelector<HTMLElement>(`[aria-posinset="${Number(at.ariaPosInSet) + step}"]`)
    next?.querySelector<HTMLElement>('a, button')?.focus()
    next?.scrollIntoView({ block: 'nearest' })
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the arrows walk through the links that stand in it
    <div class="virtual" ref={box} onScroll={look} onKeyDown={walk}>
      {/* biome-ignore lint/a11y/useSemanticElements: rows that are out of sight are not in the page */}
      <div role="list" aria-label={label} style={{ height: `${items.length * height}px` }}>
        {items.slice(first, last).map((item, index) => (
          // biome-ignore lint/a11y/useSemanticElements: as above
          <div
            key={keyOf(item)}
            role="listitem"
            aria-setsize={items.length}
            aria-posinset={first + index + 1}
            style={{ top: `${(first + index) * height}px`, height: `${height}px` }}
          >
            {row(item)}
          </div>
        ))}
      </div>
    </div>
  )
}

import type { ComponentChildren } from 'preact'

/** What may be larger than its place: it scrolls, and the keyboard reaches it. */
export function Scrolling({ label, children }: { readonly label: string; readonly children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: else it could not be scrolled without a mouse
    <section class="scrolls" aria-label={label} tabIndex={0}>
      {children}
    </section>
  )
}

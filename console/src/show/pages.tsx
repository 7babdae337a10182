interface Props {
  /** From 0. */
  readonly page: number
  readonly size: number
  /** How many stand on it. */
  readonly found: number
  readonly what: string
  readonly turn: (to: number) => void
}

/** From one page of a list to the next: whether there is one is seen by whether this one is full. */
export function Pages({ page, size, found, what, turn }: Props) {
  return (
    <p class="pages">
      <button type="button" disabled={page === 0} onClick={() => turn(page - 1)}>
        Before
      </button>
      <span role="status">{found === 0 ? `no ${what}` : `${what} ${page * size + 1} to ${page * size + found}`}</span>
      <button type="button" disabled={found < size} onClick={() => turn(page + 1)}>
        Next
      </button>
    </p>
  )
}

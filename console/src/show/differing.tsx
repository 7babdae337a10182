interface Difference {
  readonly path: string
  /** Undefined: it is not there. */
  readonly old: unknown
  readonly to: unknown
}

/** Where two values differ. */
export function Differing({
  titles,
  differences,
}: {
  readonly titles: readonly [old: string, to: string]
  readonly differences: readonly Difference[]
}) {
  return (
    <table class="differing">
      <thead>
        <tr>
          {['Where', ...titles].map((title) => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {differences.map(({ path, old, to }) => (
          <tr key={path}>
            <th scope="row">{path || 'the whole'}</th>
            {[old, to].map((value, side) => (
              <td key={side}>{value === undefined ? '' : <code>{JSON.stringify(value)}</code>}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

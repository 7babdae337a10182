import { TitledTable } from './titled-table.tsx'

export interface Difference {
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
    <TitledTable class="differing" titles={['Where', ...titles]}>
      {differences.map(({ path, old, to }) => (
        <tr key={path}>
          <th scope="row">{path || 'the whole'}</th>
          {[old, to].map((value, side) => (
            <td key={side}>{value === undefined ? '' : <code>{JSON.stringify(value)}</code>}</td>
          ))}
        </tr>
      ))}
    </TitledTable>
  )
}

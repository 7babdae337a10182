import type { ComponentChildren } from 'preact'

interface Props {
  readonly titles: readonly string[]
  readonly class?: string
  readonly children: ComponentChildren
}

/** Rows under the titles of their columns. */
export const TitledTable = ({ titles, children, ...props }: Props) => (
  <table {...props}>
    <thead>
      <tr>
        {titles.map((title) => (
          <th key={title} scope="col">
            {title}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>{children}</tbody>
  </table>
)

import {
  ancestors,
  type Metadata,
  operations,
  type Permission,
  permissionsOf,
  type Source,
  type Table,
} from '../engine/metadata.ts'
import { addressOfObject } from '../navigate/object-address.ts'
import { Scrolling } from '../show/scrolling.tsx'
import { TitledTable } from '../show/titled-table.tsx'
import { changeOf } from './change-of.ts'
import { conditionText } from './condition-text.ts'

const kinds = {
  select: 'SelectPermission',
  insert: 'InsertPermission',
  update: 'UpdatePermission',
  delete: 'DeletePermission',
} as const

/** Who may do what with a table: a row for each role, a column for each operation. */
export function PermissionMatrix({
  metadata,
  source,
  table,
}: {
  readonly metadata: Metadata
  readonly source: Source
  readonly table: Table
}) {
  const named = new Set(operations.flatMap((operation) => permissionsOf(table, operation).map(({ role }) => role)))
  const inherited = (metadata.inherited_roles ?? [])
    .map(({ role_name }) => role_name)
    .filter((role) => [...ancestors(metadata, role)].some((parent) => named.has(parent)))
  const roles = [...new Set([...named, ...inherited])].sort()
  if (roles.length === 0) return <p class="quiet">No role but the admin may do anything with this table.</p>
  return (
    <Scrolling label="Permissions">
      <TitledTable class="matrix" titles={['Role', ...operations]}>
        {roles.map((role) => (
          <tr key={role}>
            <th scope="row">
              <a href={addressOfObject({ type: 'role', key: { name: role } })}>{role}</a>
            </th>
            {operations.map((operation) => {
              const word = permissionsOf(table, operation).some((one) => one.role === role) ? 'change' : 'add'
              return (
                <td key={operation}>
                  {allowed(metadata, table, operation, role).map(({ from, permission }) => (
                    <Allowed key={from} from={from === role ? null : from} permission={permission} />
                  ))}
                  <a
                    class="change"
                    aria-label={`${word} the ${operation} permission of ${role}`}
                    href={changeOf(kinds[operation], source, table, { role })}
                  >
                    {word}
                  </a>
                </td>
              )
            })}
          </tr>
        ))}
      </TitledTable>
    </Scrolling>
  )
}

/** The role's own permission; where it has none, those of the roles that it inherits from. */
function allowed(metadata: Metadata, table: Table, operation: (typeof operations)[number], role: string) {
  const permissions = permissionsOf(table, operation)
  const of = (one: string) =>
    permissions.filter((permission) => permission.role === one).map((permission) => ({ from: one, permission }))
  const own = of(role)
  return own.length > 0 ? own : [...ancestors(metadata, role)].slice(1).flatMap(of)
}

function Allowed({
  from,
  permission: { permission, comment },
}: {
  readonly from: string | null
  readonly permission: Permission
}) {
  const { columns, filter, check, set, limit, allow_aggregations } = permission
  const presets = Object.entries(set ?? {})
  return (
    <div class="allowed">
      <p>
        {columns === undefined
          ? ''
          : columns === '*'
            ? 'all columns'
            : columns.length === 0
              ? 'no column'
              : columns.join(', ')}
      </p>
      {filter !== undefined && <p>where {conditionText(filter) || 'every row'}</p>}
      {check !== undefined && check !== null && conditionText(check) && <p>then {conditionText(check)}</p>}
      {presets.length > 0 && <p>sets {presets.map(([name, value]) => `${name} = ${String(value)}`).join(', ')}</p>}
      {limit !== undefined && <p>at most {limit} rows</p>}
      {allow_aggregations && <p>aggregates</p>}
      {from !== null && <p class="quiet">inherited from {from}</p>}
      {comment && <p class="quiet">{comment}</p>}
    </div>
  )
}

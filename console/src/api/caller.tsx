import { useState } from 'preact/hooks'
import type { Caller } from '../engine/client.ts'
import { type Metadata, rolesOf, variablesOf } from '../engine/metadata.ts'
import { useKept } from '../navigate/use-kept.ts'

/** The role and session variables that requests are sent with, the same in every view; null: the admin. */
export const useCaller = () => useKept<Caller | null>('caller', null)

interface Props {
  readonly metadata: Metadata
  readonly headerPrefix: string
  readonly caller: Caller | null
  readonly choose: (caller: Caller | null) => void
}

/** A switch of role, with a field for each session variable that the role's permissions read. */
export function CallerChoice({ metadata, headerPrefix, caller, choose }: Props) {
  const names = caller ? variablesOf(metadata, caller.role, headerPrefix) : []
  const [draft, write] = useState(caller?.variables ?? {})
  const send = () => caller && draft !== caller.variables && choose({ ...caller, variables: draft })
  return (
    <form
      class="caller"
      aria-label="Role"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <label for="role">As</label>
      <select
        id="role"
        value={caller?.role ?? ''}
        onChange={({ currentTarget: { value } }) => choose(value === '' ? null : { role: value, variables: draft })}
      >
        <option value="">admin</option>
        {rolesOf(metadata).map((role) => (
          <option key={role} value={role}>
            {role}
          </option>
        ))}
      </select>
      {names.map((name) => (
        <label key={name}>
          {name}
          <input
            value={draft[name] ?? ''}
            onInput={({ currentTarget: { value } }) => write({ ...draft, [name]: value })}
            onBlur={send}
          />
        </label>
      ))}
      {names.length > 0 && <button type="submit">Use</button>}
    </form>
  )
}

import { useState } from 'preact/hooks'

interface Props {
  /** Why the last one did not do. */
  readonly refused: string | null
  readonly signIn: (secret: string) => void
}

/** The form for the admin secret. */
export function SignIn({ refused, signIn }: Props) {
  const [secret, set] = useState('')
  return (
    <main class="sign-in">
      <h1>svc</h1>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          signIn(secret)
        }}
      >
        <label>
          Admin secret
          <input
            type="password"
            autocomplete="off"
            required
            value={secret}
            onInput={({ currentTarget }) => set(currentTarget.value)}
          />
        </label>
        <button type="submit">Sign in</button>
        {refused !== null && (
          <p role="alert" class="failure">
            {refused}
          </p>
        )}
        <p class="quiet">It is kept until this tab is closed. With npm start it stands in .svc/admin-secret.</p>
      </form>
    </main>
  )
}

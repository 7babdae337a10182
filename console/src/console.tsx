import { useMemo, useState } from 'preact/hooks'
import { ApiPage } from './api/api-page.tsx'
import { DataPage } from './data/data-page.tsx'
import { type Client, createClient, EngineError } from './engine/client.ts'
import type { Exported } from './engine/metadata.ts'
import { keepSecret, readSecret } from './engine/secret.ts'
import { useLoaded } from './engine/use-loaded.ts'
import { EventsPage } from './events/events-page.tsx'
import { HistoryPage } from './history/history-page.tsx'
import { addressOf, type Location, useLocation } from './navigate/location.ts'
import { views } from './navigate/views.ts'
import { InconsistenciesPage } from './objects/inconsistencies.tsx'
import { ObjectsPage } from './objects/objects-page.tsx'
import { Once } from './show/failure.tsx'
import { WithCatalogue } from './show/with-catalogue.tsx'
import { SignIn } from './sign-in/sign-in.tsx'

interface Props {
  readonly base: string
  readonly headerPrefix: string
}

/** The whole page: without a sign-in it shows the form for the secret; an engine without a secret needs none. */
export function Console({ base, headerPrefix }: Props) {
  const [secret, setSecret] = useState(readSecret)
  const client = useMemo(() => createClient(base, headerPrefix, secret), [base, headerPrefix, secret])
  const [loaded, again] = useLoaded(() => client.read<Exported>('export_metadata', {}, 2), [client])
  const location = useLocation()
  const signIn = (to: string | null) => {
    keepSecret(to)
    setSecret(to)
  }
  if (loaded.state === 'failed' && loaded.error instanceof EngineError && loaded.error.code === 'access-denied')
    return <SignIn refused={secret === null ? null : loaded.error.message} signIn={signIn} />
  return (
    <>
      <header>
        <strong>svc</strong>
        <nav aria-label="Views">
          {views.map(([name, title]) => (
            <a key={name} href={addressOf([name])} aria-current={name === viewOf(location) ? 'page' : undefined}>
              {title}
            </a>
          ))}
        </nav>
        {loaded.state === 'loaded' && <span class="quiet">version {loaded.value.resource_version}</span>}
        <button type="button" onClick={again}>
          Reload
        </button>
        {secret !== null && (
          <button type="button" onClick={() => signIn(null)}>
            Sign out
          </button>
        )}
      </header>
      <Once loaded={loaded} again={again}>
        {(exported) => <View exported={exported} again={again} client={client} location={location} />}
      </Once>
    </>
  )
}

const viewOf = ({ parts }: Location) => views.find(([name]) => name === parts[0])?.[0] ?? 'api'

interface ViewProps {
  readonly exported: Exported
  readonly again: () => void
  readonly client: Client
  readonly location: Location
}

function View({ exported: { metadata, resource_version: version }, again, client, location }: ViewProps) {
  switch (viewOf(location)) {
    case 'api':
      return <ApiPage client={client} metadata={metadata} />
    case 'data':
      return <DataPage client={client} metadata={metadata} location={location} />
    case 'change':
      return (
        <WithCatalogue>
          {({ ChangePage }) => (
            <ChangePage client={client} metadata={metadata} version={version} location={location} again={again} />
          )}
        </WithCatalogue>
      )
    case 'events':
      return <EventsPage client={client} metadata={metadata} location={location} />
    case 'objects':
      return <ObjectsPage client={client} metadata={metadata} location={location} />
    case 'drift':
      return <WithCatalogue>{({ DriftPage }) => <DriftPage metadata={metadata} />}</WithCatalogue>
    case 'history':
      return <HistoryPage client={client} version={version} />
    case 'inconsistent':
      return <InconsistenciesPage client={client} version={version} />
  }
}

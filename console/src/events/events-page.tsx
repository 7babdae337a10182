import { useState } from 'preact/hooks'
import type { Client, Json } from '../engine/client.ts'
import { useLoaded } from '../engine/use-loaded.ts'
import { addressOf } from '../navigate/location.ts'
import type { ViewProps } from '../navigate/views.ts'
import { Confirmation } from '../show/confirmation.tsx'
import { Once } from '../show/failure.tsx'
import { JsonText } from '../show/json.tsx'
import { OwnedBy } from '../show/owned-by.tsx'
import { Pages } from '../show/pages.tsx'
import { Scrolling } from '../show/scrolling.tsx'
import { TitledTable } from '../show/titled-table.tsx'
import { WithCatalogue } from '../show/with-catalogue.tsx'
import { actionsOn, type EventAction } from './event-actions.ts'
import { type EventRow, PAGE, type Queue, queuesOf, readAttempts, readEvents } from './queues.ts'

/** Triggers and schedules, and for each its newest events with the attempts to deliver them. */
export function EventsPage({ client, metadata, location: { parts } }: ViewProps) {
  const queues = queuesOf(metadata)
  const chosen = queues.find(({ kind, name }) => kind === parts[1] && name === (parts[2] ?? ''))
  const object = chosen?.object
  return (
    <div class="beside">
      <aside>
        <nav aria-label="Triggers">
          <ul>
            {queues.map((queue) => (
              <li key={`${queue.kind} ${queue.name}`}>
                <a
                  href={addressOf(['events', queue.kind, queue.name])}
                  aria-current={queue === chosen ? 'page' : undefined}
                >
                  {queue.title} <span class="quiet">{queue.about}</span>
                </a>
              </li>
            ))}
          </ul>
        </nav>
      </aside>
      <main>
        <h1>{chosen?.title ?? 'Events'}</h1>
        <Withheld client={client} />
        {chosen ? (
          <>
            {object && <OwnedBy client={client} object={object} />}
            <Events key={chosen.name} client={client} queue={chosen} />
            {object && (
              <WithCatalogue>
                {({ Related }) => <Related client={client} metadata={metadata} object={object} />}
              </WithCatalogue>
            )}
          </>
        ) : (
          <p class="quiet">Choose a trigger to see what it has sent.</p>
        )}
      </main>
    </div>
  )
}

/** Why nothing of what is seen here is sent. */
function Withheld({ client }: { readonly client: Client }) {
  const [loaded] = useLoaded(() => client.config(), [client])
  const said = loaded.state === 'loaded' ? loaded.value?.events_withheld : null
  return typeof said === 'string' ? <p class="wrong">Paused: {said}.</p> : null
}

function Events({ client, queue }: { readonly client: Client; readonly queue: Queue }) {
  const [page, turn] = useState(0)
  const [loaded, again] = useLoaded(() => readEvents(client, queue, page), [client, queue.name, page])
  const [open, look] = useState<string | null>(null)
  const [asked, ask] = useState<{ readonly event: EventRow; readonly action: EventAction } | null>(null)
  const [said, say] = useState('')
  return (
    <>
      {queue.kind === 'trigger' && queue.cleanUp === 'paused' && (
        <p class="quiet">The clean-up of its logs is paused.</p>
      )}
      <div class="bar">
        <button type="button" onClick={again}>
          Read again
        </button>
        <span role="status">{said}</span>
      </div>
      {asked && (
        <Confirmation
          title={`${asked.action.label} ${asked.event.id}?`}
          effect={asked.action.effect}
          label={asked.action.label}
          act={() => client.apply(asked.action.request, null)}
          done={() => {
            say(asked.action.done)
            ask(null)
            again()
          }}
          leave={() => ask(null)}
        />
      )}
      <Once loaded={loaded} again={again}>
        {(events) =>
          events.length === 0 && page === 0 ? (
            <p class="quiet">No events are kept.</p>
          ) : (
            <>
              <Scrolling label="Events">
                <TitledTable class="events" titles={['Event', 'Made', 'State', 'Tries', 'Next', 'Do']}>
                  {events.map((event) => {
                    const { id, at, state, tries, next, payload } = event
                    return (
                      <>
                        <tr key={id}>
                          <th scope="row">
                            <button
                              type="button"
                              class="plain"
                              aria-expanded={open === id}
                              onClick={() => look(open === id ? null : id)}
                            >
                              {id}
                            </button>
                          </th>
                          <td>{at}</td>
                          <td>{state}</td>
                          <td>{tries}</td>
                          <td>{next ?? ''}</td>
                          <td>
                            {actionsOn(queue, event).map((action) => (
                              <button
                                key={action.label}
                                type="button"
                                aria-label={`${action.label} ${id}`}
                                onClick={() => ask({ event, action })}
                              >
                                {action.label} …
                              </button>
                            ))}
                          </td>
                        </tr>
                        {open === id && (
                          <tr key={`${id} attempts`}>
                            <td colSpan={6}>
                              <JsonText value={payload} label={`Payload of ${id}`} />
                              <Attempts client={client} queue={queue} event={id} />
                            </td>
                          </tr>
                        )}
                      </>
                    )
                  })}
                </TitledTable>
              </Scrolling>
              {(page > 0 || events.length === PAGE) && (
                <Pages page={page} size={PAGE} found={events.length} what="events" turn={turn} />
              )}
            </>
          )
        }
      </Once>
    </>
  )
}

function Attempts({
  client,
  queue,
  event,
}: {
  readonly client: Client
  readonly queue: Queue
  readonly event: string
}) {
  const [loaded, again] = useLoaded<readonly Json[]>(() => readAttempts(client, queue, event), [client, event])
  return (
    <Once loaded={loaded} again={again}>
      {(attempts) =>
        attempts.length === 0 ? (
          <p class="quiet">It has not been sent yet.</p>
        ) : (
          attempts.map((attempt, index) => (
            <JsonText key={index} value={attempt} label={`Attempt ${attempts.length - index}`} />
          ))
        )
      }
    </Once>
  )
}

import { useState } from 'preact/hooks'
import type { Client, Json } from '../engine/client.ts'
import type { Metadata } from '../engine/metadata.ts'
import { useLoaded } from '../engine/use-loaded.ts'
import { addressOf, type Location } from '../navigate/location.ts'
import { Once } from '../show/failure.tsx'
import { JsonText } from '../show/json.tsx'
import { type Queue, queuesOf, readAttempts, readEvents } from './queues.ts'

interface Props {
  readonly client: Client
  readonly metadata: Metadata
  readonly location: Location
}

/** Triggers and schedules, and for each its newest events with the attempts to deliver them. */
export function EventsPage({ client, metadata, location: { parts } }: Props) {
  const queues = queuesOf(metadata)
  const chosen = queues.find(({ kind, name }) => kind === parts[1] && name === (parts[2] ?? ''))
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
        {chosen ? (
          <Events key={chosen.name} client={client} queue={chosen} />
        ) : (
          <p class="quiet">Choose a trigger to see what it has sent.</p>
        )}
      </main>
    </div>
  )
}

function Events({ client, queue }: { readonly client: Client; readonly queue: Queue }) {
  const [loaded, again] = useLoaded(() => readEvents(client, queue), [client, queue.name])
  const [open, look] = useState<string | null>(null)
  return (
    <>
      <button type="button" onClick={again}>
        Read again
      </button>
      <Once loaded={loaded} again={again}>
        {(events) =>
          events.length === 0 ? (
            <p class="quiet">No events are kept.</p>
          ) : (
            <table>
              <thead>
                <tr>
                  <th scope="col">Event</th>
                  <th scope="col">Made</th>
                  <th scope="col">State</th>
                  <th scope="col">Tries</th>
                  <th scope="col">Next</th>
                </tr>
              </thead>
              <tbody>
                {events.map(({ id, at, state, tries, next, payload }) => (
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
                    </tr>
                    {open === id && (
                      <tr key={`${id} attempts`}>
                        <td colSpan={5}>
                          <JsonText value={payload} label={`Payload of ${id}`} />
                          <Attempts client={client} queue={queue} event={id} />
                        </td>
                      </tr>
                    )}
                  </>
                ))}
              </tbody>
            </table>
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
          <p class="quiet">Nobody has tried to deliver it yet.</p>
        ) : (
          <>
            {attempts.map((attempt, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: they are never put into another order
              <JsonText key={index} value={attempt} label={`Attempt ${attempts.length - index}`} />
            ))}
          </>
        )
      }
    </Once>
  )
}

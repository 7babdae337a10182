import type { Observation, ObservationOf } from './observation.ts'

/** A complete table: a kind left out does not compile. */
export type Listener = { readonly [K in Observation['kind']]: (observation: ObservationOf<K>) => void }

/** Stands in a listener for kinds that it ignores. */
export const silent = (): void => {}

export interface Observer {
  report(observation: Observation): void
  /** Receives everything reported from now on; the result ends it. */
  subscribe(receive: (observation: Observation) => void): () => void
  /** The next observation of a kind (that fits); for tests, which wait for facts instead of time. */
  next<K extends Observation['kind']>(
    kind: K,
    fits?: (observation: ObservationOf<K>) => boolean,
  ): Promise<ObservationOf<K>>
}

/** Passes on to every listener. A listener that throws loses that observation and disturbs no one. */
export function createObserver(...listeners: readonly Listener[]): Observer {
  const subscribers = new Set<(observation: Observation) => void>()
  const report = (observation: Observation) => {
    for (const listener of listeners) quietly(listener[observation.kind], observation)
    for (const receive of subscribers) quietly(receive, observation)
  }
  const subscribe = (receive: (observation: Observation) => void) => {
    subscribers.add(receive)
    return () => void subscribers.delete(receive)
  }
  const next: Observer['next'] = (kind, fits) =>
    new Promise((resolve) => {
      const end = subscribe((observation) => {
        if (!isKind(observation, kind) || (fits && !fits(observation))) return
        end()
        resolve(observation)
      })
    })
  return { report, subscribe, next }
}

function isKind<K extends Observation['kind']>(observation: Observation, kind: K): observation is ObservationOf<K> {
  return observation.kind === kind
}

/** A listener's function is that of the observation's kind. */
function quietly(receive: (observation: never) => void, observation: Observation): void {
  try {
    receive(observation as never)
  } catch {
    // the log itself is what fails (a closed pipe, say): there is nowhere left to report it
  }
}

import type { Client } from '../engine/client.ts'
import type { Metadata } from '../engine/metadata.ts'
import type { Location } from './location.ts'

/** What a view shows, and where in it the user is. */
export interface ViewProps {
  readonly client: Client
  readonly metadata: Metadata
  readonly location: Location
}

/** All views, as the navigation shows them, by the first part of their address. */
export const views = [
  ['api', 'API'],
  ['data', 'Data'],
  ['change', 'Change'],
  ['events', 'Events'],
  ['objects', 'Objects'],
  ['drift', 'Drift'],
  ['history', 'History'],
  ['inconsistent', 'Inconsistent'],
] as const

/** Of a table, by the query of its address. */
export const tableViews = ['permissions', 'rows', 'relationships', 'dependencies', 'metadata'] as const

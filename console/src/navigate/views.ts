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

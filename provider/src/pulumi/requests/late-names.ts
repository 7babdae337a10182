/** The methods that are loaded when the first of them is called. */
export const lateNames = [
  'GetSchema',
  'CheckConfig',
  'DiffConfig',
  'Configure',
  'Check',
  'Diff',
  'Create',
  'Read',
  'Update',
  'Delete',
  'Invoke',
  'Construct',
  'Cancel',
] as const

export type LateMethod = (typeof lateNames)[number]

import { type LabelledRoot, labelled, type PreparedRoot } from './prepared-plan.ts'

/** The statements of a plan by their root fields, for the log; null where no database is asked. */
export function statementsOf(roots: readonly PreparedRoot[]): Readonly<Record<string, string>> | null {
  const statements = labelled(roots).flatMap(({ label, root }) =>
    statementTexts(root).map((text, i) => [i === 0 ? label : `${label}[${i}]`, text]),
  )
  return statements.length === 0 ? null : Object.fromEntries(statements)
}

function statementTexts(root: LabelledRoot['root']): readonly string[] {
  switch (root.kind) {
    case 'database':
      return [root.compiled.text]
    case 'writes':
      return root.groups.flatMap((group) => ('writes' in group ? group.writes.map(({ text }) => text) : []))
    case 'insert':
      return root.statements.texts()
    case 'text':
    case 'action':
    case 'remote':
    case 'introspection':
      return []
  }
}

import type { Explained } from '../engine/client.ts'
import { Scrolling } from '../show/scrolling.tsx'

/** The SQL and the plan of each root field. */
export function ExplainedText({ fields }: { readonly fields: readonly Explained[] }) {
  return (
    <section aria-label="Explained">
      {fields.map(({ field, sql, plan }) => (
        <div key={field}>
          <h2>{field}</h2>
          <Scrolling label={`SQL of ${field}`}>
            <pre>{sql ?? 'no SQL: it is answered elsewhere'}</pre>
          </Scrolling>
          {plan && (
            <Scrolling label={`Plan of ${field}`}>
              <pre>{plan.join('\n')}</pre>
            </Scrolling>
          )}
        </div>
      ))}
    </section>
  )
}

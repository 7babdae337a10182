import { type Path, type Values, valueAt } from '../../resources/index.ts'
import { pulumiName } from '../names.ts'
import type { DiffKind, diff } from '../protocol/provider-messages.ts'
import { propertyPath } from '../values/named-values.ts'
import { type Answer, receivedValues, reportDiagnostics, resourceType, storedValues } from './context.ts'

/**
 * What would change, and whether in place. Sends no request. What is not known yet counts as changed, so that objects
 * of a table that is replaced are made again with it.
 */
export const answerDiff: Answer<typeof diff> = async (context, { id, urn, olds, news }) => {
  const type = resourceType(context, urn)
  const prior = storedValues(context, type, olds, id)
  const config = receivedValues(type, news)
  const request = { kind: type.kind, prior, proposed: config, config }
  const { planned, changed, replace } = context.provider.planWithoutEngine(request)
  if (context.run.checked.has(urn)) context.run.compared.set(urn, id)
  if (replace.length > 0) context.run.replaced.set(urn, prior)
  else context.run.replaced.delete(urn)
  if (changed.length === 0)
    await reportDiagnostics(
      context,
      type.attributes,
      urn,
      context.provider.checkUnchanged(type.kind, prior),
      (text) => text,
    )
  const replaced = new Set(replace.map(([name]) => name))
  const kindOf = (path: Path) => diffKind(prior, planned ?? {}, path, replaced.has(path[0] ?? ''))
  return {
    changes: changed.length === 0 ? 'none' : 'some',
    diffs: topNames(changed),
    detailedDiff: new Map(
      changed.map((path) => [propertyPath(type.attributes, path), { kind: kindOf(path), inputDiff: true }]),
    ),
    hasDetailedDiff: true,
    replaces: topNames(replace),
    // making the new one moves the old one there, so that nothing is gone in between; nothing is left to delete then
    deleteBeforeReplace: false,
  }
}

const topNames = (paths: readonly Path[]): readonly string[] => [
  ...new Set(paths.map(([name]) => pulumiName(String(name)))),
]

function diffKind(prior: Values, planned: Values, path: Path, replaces: boolean): DiffKind {
  const [before, after] = [valueAt(prior, path), valueAt(planned, path)]
  const kind = before === null ? 'add' : after === null ? 'delete' : 'update'
  return replaces ? `${kind}-replace` : kind
}

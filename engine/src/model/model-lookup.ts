import type { Model } from './model.ts'
import type { Lookup } from './resolve/resolve-context.ts'

/** What a finished model serves. */
export const modelLookup = (model: Model): Lookup => ({
  shape(id) {
    const node = model.graph.nodes.get(id)
    return node?.served ? node.shape : null
  },
  relationship: (id, name) => model.tables.get(id)?.relationships.get(name) ?? null,
  computedField: (id, name) => model.tables.get(id)?.computedFields.get(name) ?? null,
  ...(model.input.settings.headerPrefix !== undefined && { headerPrefix: model.input.settings.headerPrefix }),
  functions: (source, own) => model.input.sources.get(source)?.functions.get(own)?.overloads ?? [],
})

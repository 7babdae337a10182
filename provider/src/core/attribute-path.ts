import type { Attributes, AttributeType, Path } from '../resources/index.ts'

/**
 * Returns the part of a path that tools can point at: it ends at a set and at JSON, in which nothing has a path. A path
 * that begins at no attribute is that of the resource.
 */
export function pointablePath(attributes: Attributes, path: Path): Path {
  const [name] = path
  const attribute = typeof name === 'string' && Object.hasOwn(attributes, name) ? attributes[name] : undefined
  return name === undefined || !attribute ? [] : [name, ...pointableBelow(attribute.type, path.slice(1))]
}

function pointableBelow(type: AttributeType, path: Path): Path {
  const [step] = path
  if (step === undefined) return []
  switch (type.kind) {
    case 'string':
    case 'boolean':
    case 'integer':
    case 'number':
    case 'json':
    case 'set':
      return []
    case 'list':
    case 'map':
      return [step, ...pointableBelow(type.of, path.slice(1))]
    case 'object':
      return pointablePath(type.attributes, path)
  }
}

/** `columns[1]`, `table.name`, `filter._and[0]["first-name"]` */
export const pathText = (path: Path): string =>
  path
    .map((step, i) => {
      if (typeof step === 'number') return `[${step}]`
      if (!/^[A-Za-z_$][\w$]*$/.test(step)) return `[${JSON.stringify(step)}]`
      return i === 0 ? step : `.${step}`
    })
    .join('')

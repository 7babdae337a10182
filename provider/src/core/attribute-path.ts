import { type Attributes, type AttributeType, type Path, typeInside } from '../resources/index.ts'

/**
 * Returns the part of a path that tools can point at: it ends at a set and at JSON, in which nothing has a path. A path
 * that begins at no attribute is that of the resource.
 */
export const pointablePath = (attributes: Attributes, path: Path): Path =>
  pointableBelow({ kind: 'object', attributes }, path)

function pointableBelow(type: AttributeType, [step, ...rest]: Path): Path {
  if (step === undefined || type.kind === 'set') return []
  const inside = typeInside(type, step)
  return inside ? [step, ...pointableBelow(inside, rest)] : []
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

/** Returns PostgreSQL's text form of an array: `{1,NULL,"a b"}`. Every element but NULL is quoted, so none can be misread. */
export function arrayLiteral(elements: readonly (string | null)[]): string {
  let text = '{'
  for (const element of elements) {
    if (text.length > 1) text += ','
    text += element === null ? 'NULL' : `"${special.test(element) ? element.replace(specials, '\\$&') : element}"`
  }
  return `${text}}`
}

const special = /[\\"]/
const specials = /[\\"]/g

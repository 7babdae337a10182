/** The first name that GraphQL allows and `used` lacks, to which it is added; the last with a number behind it where all are. */
export function freeName(used: Set<string>, ...names: readonly string[]): string {
  const wanted = names.filter((name) => /^[_A-Za-z]\w*$/.test(name))
  const last = wanted.at(-1) ?? 'related'
  let name = wanted.find((one) => !used.has(one))
  for (let i = 2; name === undefined; i++) if (!used.has(`${last}_${i}`)) name = `${last}_${i}`
  used.add(name)
  return name
}

/** `Order Items` → `Order_Items` */
export const graphqlName = (text: string): string => text.replace(/\W/g, '_').replace(/^(?=\d|$)/, '_')

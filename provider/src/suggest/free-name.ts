/** The first name that is GraphQL's and not taken, which it takes; the last with a number behind it where all are. */
export function freeName(taken: Set<string>, ...names: readonly string[]): string {
  const wanted = names.filter((name) => /^[_A-Za-z]\w*$/.test(name))
  const last = wanted.at(-1) ?? 'related'
  let name = wanted.find((one) => !taken.has(one))
  for (let i = 2; name === undefined; i++) if (!taken.has(`${last}_${i}`)) name = `${last}_${i}`
  taken.add(name)
  return name
}

/** `Order Items` → `Order_Items` */
export const graphqlName = (text: string): string => text.replace(/\W/g, '_').replace(/^(?=\d|$)/, '_')

/**
 * Converts a user's database URL to the URL that pg reads the way libpq reads the user's. Throws an Error that names no
 * secret.
 */
export const connectionUrl = (given: string): string => (isUrl(given) ? libpqUrl(given) : urlOfKeywords(given))

const isUrl = (text: string) => /^(postgres|postgresql):\/\//.test(text)

/** sslmode as libpq understands it: `require` encrypts and needs no certificate that can be verified. */
function libpqUrl(text: string): string {
  if (!URL.canParse(text)) return text
  const url = new URL(text)
  const mode = url.searchParams.get('sslmode')
  // pg speaks either TLS or not; these two mean "TLS if the server happens to have it"
  if (mode === 'prefer' || mode === 'allow') url.searchParams.delete('sslmode')
  else if (mode !== null) url.searchParams.set('uselibpqcompat', 'true')
  return url.href
}

/** libpq's other form, `host=… dbname='a b'`, as a URL. */
function urlOfKeywords(text: string): string {
  const pairs = new Map<string, string>()
  for (const [, keyword = '', quoted, bare = ''] of text.matchAll(/(\w+)\s*=\s*(?:'((?:[^'\\]|\\.)*)'|(\S*))/g))
    pairs.set(keyword, (quoted ?? bare).replace(/\\(.)/g, '$1'))
  if (pairs.size === 0) throw new Error('the database URL is neither postgres://… nor keyword=value pairs')
  const take = (keyword: string) => {
    const value = pairs.get(keyword)
    pairs.delete(keyword)
    return value
  }
  const [user, password, port, database] = [take('user'), take('password'), take('port'), take('dbname')]
  const credentials =
    user === undefined ? '' : `${encodeURIComponent(user)}${password ? `:${encodeURIComponent(password)}` : ''}@`
  const query = new URLSearchParams([...pairs])
  const url = `postgres://${credentials}base${port ? `:${port}` : ''}/${encodeURIComponent(database ?? '')}`
  // a host may be a socket's folder, which fits into the query only
  if (!query.has('host')) query.set('host', take('hostaddr') ?? 'localhost')
  return libpqUrl(`${url}?${query}`)
}

/**
 * A database URL for logs and messages: host, port, database and user name remain, the password and parameters are
 * removed.
 */
export function redactUrl(url: string): string {
  try {
    const { protocol, username, host, pathname } = new URL(url)
    // a password that was not encoded can be read as a port and a path
    if (pathname.includes('@')) return '(a connection string)'
    return `${protocol}//${username === '' ? '' : `${username}:***@`}${host}${pathname}`
  } catch {
    // socket directories and libpq's key=value form are no URLs; whatever this is, it may hold a password
    return '(a connection string)'
  }
}

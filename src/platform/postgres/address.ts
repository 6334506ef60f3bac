// The parts of PostgreSQL's URLs, which may name several hosts or the folder of a Unix socket.
/** Scheme and user, hosts, and the rest. */
export const SEVERAL_HOSTS = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#@]*)(.*)$/s

/**
 * One URL for each host of `postgres://one:5432,two:5432/hearth` (libpq, §34.1.1.3 of PostgreSQL's manual). Which of them
 * is used is decided by their state, so the URLs lack `target_session_attrs`.
 */
export function hostUrls(text: string): string[] {
  const [, start = '', hosts = '', rest = ''] = SEVERAL_HOSTS.exec(text) ?? []
  if (!hosts.includes(',') && !rest.includes(SESSION_ATTRIBUTES)) return [text]
  return hosts.split(',').map((host) => {
    const url = new URL(start + host + rest)
    url.searchParams.delete(SESSION_ATTRIBUTES)
    return url.href
  })
}

/** Hosts and path of a URL, without its password. */
export function hostsAndPath(text: string): string {
  const urls = hostUrls(text).map((url) => new URL(url))
  const path = urls[0]?.pathname ?? ''
  return urls.map(({ host }) => host).join(',') + (path.length > 1 ? path : '')
}

/** `/hearth` of a URL of one or several hosts. */
export const databasePath = (text: string): string => new URL(hostUrls(text)[0] ?? text).pathname

export const SESSION_ATTRIBUTES = 'target_session_attrs'

/** The URL of PostgreSQL through the socket in `folder`. */
export function socketUrl(text: string, folder: string): string {
  const url = new URL(text)
  url.searchParams.set('host', folder)
  return url.href
}

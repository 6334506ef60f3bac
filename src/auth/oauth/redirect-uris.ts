// Redirect URIs: which an app may register, and which of a request match (RFC 8252, RFC 9700 §4.1.3).

/** A browser would run or open these on the person's device instead of handing them to an app. */
const HARMFUL_SCHEMES = new Set(
  'about blob chrome data file filesystem ftp intent jar javascript mailto resource sms tel vbscript view-source ws wss'
    .split(' ')
    .map((scheme) => `${scheme}:`),
)

/** A listener on the person's own device; its port may change with each request (RFC 8252 §7.3). */
const LOOPBACK = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?(\/.*|\?.*)?$/

/** Why an app may not register the URI, as the end of a sentence; undefined if it may. */
export function redirectUriFault(text: string): string | undefined {
  if (text.length > 2048 || !/^[!-[\]-~]+$/.test(text)) return 'must be a URI of at most 2,048 ASCII characters'
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url) return 'must be an absolute URI'
  if (text.includes('#')) return 'must not have a fragment'
  if (url.username || url.password) return 'must not contain a user name or password'
  if (url.protocol === 'http:')
    return LOOPBACK.test(text) ? undefined : 'must use https, except for a listener on the own device'
  return HARMFUL_SCHEMES.has(url.protocol) ? `must not use the scheme ${url.protocol}` : undefined
}

/** Whether the URI of a request is a registered one: the same text, or the same listener on another port. */
export const isRegistered = (registered: readonly string[], given: string): boolean =>
  registered.includes(given) ||
  (LOOPBACK.test(given) && registered.some((one) => LOOPBACK.test(one) && withoutPort(one) === withoutPort(given)))

const withoutPort = (uri: string): string => uri.replace(LOOPBACK, (_, host: string, _port, rest = '') => host + rest)

/** Where a redirect URI leads: for the Content-Security-Policy of a form, and for people. */
export function destinationOf(uri: string): { source: string; host: string; isThisDevice: boolean } {
  const { protocol, origin, hostname } = new URL(uri)
  const isThisDevice = LOOPBACK.test(uri)
  if (protocol !== 'https:' && protocol !== 'http:')
    return { source: protocol, host: uri.split(/[/?]/)[0] ?? uri, isThisDevice: true }
  // A policy cannot name an IPv6 address.
  return { source: hostname.startsWith('[') ? protocol : origin, host: hostname, isThisDevice }
}

/** The URI with the parameters of an answer, which keeps the query that the app registered. */
export const withParameters = (uri: string, parameters: Record<string, string | null>): string => {
  const sent = Object.entries(parameters).flatMap(([name, value]) => (value === null ? [] : [[name, value] as const]))
  return `${uri}${uri.includes('?') ? '&' : '?'}${new URLSearchParams(Object.fromEntries(sent)).toString()}`
}

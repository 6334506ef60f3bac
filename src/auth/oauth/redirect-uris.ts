// Redirect URIs: which an app may register, and which of a request match (RFC 8252, RFC 9700 §4.1.3).

/**
 * A browser runs these, opens its own pages with them, or starts a program of the system with an argument that the app chooses
 * (such as `ms-msdt`), instead of handing the answer to the app (RFC 8252 §8.4, §8.6; WHATWG HTML §8.9.1).
 */
const HARMFUL_SCHEMES = new Set(
  `about android-app blob brave callto chrome-error chrome-search cid data edge facetime fax feed file filesystem ftp ftps geo git
  gopher hcp help imap intent irc ircs itms-apps jar javascript jscript ldap ldaps livescript magnet mailto maps market mhtml mid mk
  mms mocha nfs nntp ntp onenote opera pop res resource rlogin rtsp search search-ms sftp shell sip sips skype sms smb smsto smtp
  ssh steam tel telnet urn vbs vbscript vivaldi webcal ws wss wyciwyg xmpp`
    .split(/\s+/)
    .map((scheme) => `${scheme}:`),
)
/** Families of such schemes: of systems, of browsers and their extensions, of handlers that sites register. */
const HARMFUL_FAMILY =
  /^(ms-|microsoft|windows|itms|view-|web\+|x-apple|x-msauth|apple-|chrome|moz-|safari-|android\b|content:)/

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
  return HARMFUL_SCHEMES.has(url.protocol) || HARMFUL_FAMILY.test(url.protocol)
    ? `must not use the scheme ${url.protocol}`
    : undefined
}

/** Whether the URI of a request is a registered one: the same text, or the same listener on another port. */
export const isRegistered = (registered: readonly string[], given: string): boolean =>
  registered.includes(given) ||
  (LOOPBACK.test(given) &&
    URL.canParse(given) &&
    registered.some((one) => LOOPBACK.test(one) && withoutPort(one) === withoutPort(given)))

const withoutPort = (uri: string): string => uri.replace(LOOPBACK, (_, host: string, _port, rest = '') => host + rest)

/**
 * Whether any program may register the scheme of the URI. Such a scheme has no dot, so it is not the reverse of a domain name
 * with an owner (RFC 8252 §7.1).
 */
export const isUnownedScheme = (uri: string): boolean => {
  const { protocol } = new URL(uri)
  return protocol !== 'https:' && protocol !== 'http:' && !protocol.includes('.')
}

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

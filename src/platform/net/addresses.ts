// Tells public Internet addresses and allowed target URLs from private ones.
import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6

/**
 * Reserved networks that ipaddr.js reports as unicast. The first is the metadata address of Azure; the others are in the
 * IANA registries of special-purpose addresses (RFC 6890 and its successors).
 */
const RESERVED = [
  '168.63.129.16/32',
  '192.0.0.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '2620:4f:8000::/48',
  '3fff::/20',
].map((range) => ipaddr.parseCIDR(range))

/** The only IPv6 range assigned for general use (RFC 4291 §2.4): mapped, NAT64 and local addresses are outside. */
const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3')

/** Whether `text` is a globally routable address. False for text that is not an address. */
export function isPublicAddress(text: string): boolean {
  const address = parseAddress(text)
  if (!address || address.range() !== 'unicast') return false
  if (address.kind() === 'ipv6' && (!isWithin(address, GLOBAL_UNICAST) || embedsIpv4(address as ipaddr.IPv6)))
    return false
  return !RESERVED.some((range) => isWithin(address, range))
}

const isWithin = (address: Address, range: [Address, number]) =>
  address.kind() === range[0].kind() && address.match(range)

/** ISATAP (RFC 5214): a tunnel would forward the packet to the IPv4 address after `…:0:5efe:`. */
const embedsIpv4 = ({ parts }: ipaddr.IPv6) => (parts[4] === 0 || parts[4] === 0x200) && parts[5] === 0x5efe

/** Accepts strict forms without a zone: `fe80::1%eth0` names a local interface. */
function parseAddress(text: string): Address | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text)
  return text.includes(':') && !text.includes('%') && ipaddr.IPv6.isValid(text) ? ipaddr.IPv6.parse(text) : undefined
}

export const isAddress = (text: string): boolean => parseAddress(text) !== undefined

/** The host of a URL for a resolver: no brackets, no final dot. The URL parser has normalized decimal and hex addresses. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.+$/, '')

/** Names that are not resolved on the Internet (RFC 6761, 6762, 8375, 9476), and internal names of clouds. */
const LOCAL_NAMES =
  /(^|\.)(localhost|localdomain|local|internal|intranet|lan|home|corp|private|onion|alt|test|invalid|home\.arpa)$/

/** Ports of services that an HTTP request could harm: the WHATWG's list, and databases. */
const REFUSED_PORTS = new Set([
  1719, 1720, 1723, 2049, 2375, 2376, 2379, 2380, 3306, 3659, 4045, 4190, 5060, 5061, 5432, 6000, 6379, 6566, 6665,
  6666, 6667, 6668, 6669, 6679, 6697, 9200, 9300, 10080, 10250, 11211, 27017,
])

export interface TargetPolicy {
  /** Whether private addresses and names are allowed. For development only. */
  allowPrivate: boolean
  httpsOnly: boolean
}

/** Why a URL is not allowed, as the end of a sentence ("must …"); undefined if it is. Resolves no names. */
export function targetUrlFault(text: string, { allowPrivate, httpsOnly }: TargetPolicy): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url) return 'must be a URL'
  if (url.protocol !== 'https:' && (httpsOnly || url.protocol !== 'http:')) return 'must be a URL with https'
  if (url.username || url.password) return 'must not contain a user name or password'
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80))
  if (!isUsualPort(port)) return `must not use port ${port}`
  if (allowPrivate) return undefined
  const host = hostOf(url)
  if (isAddress(host)) return isPublicAddress(host) ? undefined : 'must not point to a private address'
  const isLocal = !host.includes('.') || LOCAL_NAMES.test(host)
  return isLocal ? 'must not point to a private name' : undefined
}

const isUsualPort = (port: number) => port === 80 || port === 443 || (port >= 1024 && !REFUSED_PORTS.has(port))

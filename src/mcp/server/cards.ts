// Server cards: what a client can know of an agent server before it connects (SEP-2127), and the catalog that lists them.
import { isIP } from 'node:net'

import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server'

import type { Config, Feature } from '../../config.ts'
import type { CatalogEntry } from '../../http/api-catalog.ts'
import { customerSide } from '../customer/definition.ts'
import { proSide } from '../pro/definition.ts'

export const CARD_TYPE = 'application/mcp-server-card+json'
export const VERSION = '1.0.0'

/** The era without `initialize`; the SDK keeps its name to itself. */
const STATELESS_VERSION = '2026-07-28'

interface CardSubject {
  readonly name: 'customer' | 'pro'
  readonly title: string
  readonly path: string
}

export interface AgentCard {
  readonly of: CardSubject
  /** Without it there is no such server. */
  readonly flag?: Feature
  /** At most 100 characters. */
  readonly description: string
  readonly keyHint: string
  /** Where the API promises the card; the protocol's own place is `<server>/server-card`. */
  readonly wellKnown: string
}

export const AGENT_CARDS: readonly AgentCard[] = [
  {
    of: proSide,
    flag: 'FEATURE_PRO_MCP',
    description: 'A home service pro’s leads, quotes, jobs, bookings and public content.',
    keyHint: 'A pro’s own key with the scopes mcp:read and mcp:write',
    wellKnown: '/.well-known/mcp/server-card.json',
  },
  {
    of: customerSide,
    description: 'Find verified home service pros, see open times, book, ask for quotes, read reviews.',
    keyHint: 'A key with mcp:read and mcp:write, or a widget’s key in pages of its origin',
    wellKnown: '/.well-known/mcp/customer-server-card.json',
  },
]

/** The cards of the servers that run here. */
export const cardsOf = ({ features }: Pick<Config, 'features'>): AgentCard[] =>
  AGENT_CARDS.filter(({ flag }) => !flag || features.has(flag))

/** The server's name in the form of cards: the host backwards, then the server. The same when a client is connected. */
export function serverName({ baseUrl }: Pick<Config, 'baseUrl'>, { name }: Pick<CardSubject, 'name'>): string {
  return `${publisher(baseUrl).split('.').toReversed().join('.')}/hearth-${name}`
}

/** An address is no name: it stands for this machine. */
const publisher = (baseUrl: string) => {
  const { hostname } = new URL(baseUrl)
  return isIP(hostname.replace(/^\[|\]$/g, '')) ? 'localhost' : hostname
}

/** One card. */
export const serverCard = (config: Pick<Config, 'baseUrl'>, { of, description, keyHint }: AgentCard) => ({
  $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
  name: serverName(config, of),
  version: VERSION,
  title: of.title,
  description,
  websiteUrl: `${config.baseUrl}/api-docs`,
  icons: [{ src: `${config.baseUrl}/assets/hearth.svg`, mimeType: 'image/svg+xml', sizes: ['any'] }],
  remotes: [
    {
      type: 'streamable-http',
      url: config.baseUrl + of.path,
      headers: [
        {
          name: 'Authorization',
          description: 'An API key',
          isRequired: true,
          isSecret: true,
          value: 'Bearer {apiKey}',
          variables: {
            apiKey: { description: keyHint, isRequired: true, isSecret: true, placeholder: 'hearth_live_…' },
          },
        },
      ],
      supportedProtocolVersions: [STATELESS_VERSION, ...SUPPORTED_PROTOCOL_VERSIONS],
    },
  ],
})

/** The catalog of a host (/.well-known/ai-catalog.json): where each card is. */
export const cardCatalog = (config: Pick<Config, 'baseUrl' | 'features'>) => ({
  specVersion: '1.0',
  entries: cardsOf(config).map(({ of, description }) => ({
    identifier: `urn:air:${publisher(config.baseUrl)}:hearth-${of.name}`,
    displayName: of.title,
    description,
    type: CARD_TYPE,
    url: `${config.baseUrl}${of.path}/server-card`,
  })),
})

/** The servers' entries in /.well-known/api-catalog. */
export const agentCatalogEntries = (config: Pick<Config, 'features'>): CatalogEntry[] =>
  cardsOf(config).map(({ of, wellKnown }) => ({
    path: of.path,
    'service-desc': [{ path: wellKnown, type: CARD_TYPE }],
    'service-doc': [{ path: '/api-docs', type: 'text/html' }],
  }))

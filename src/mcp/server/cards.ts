// Server cards describe an agent server before a client connects (SEP-2127); the catalog lists them.
import { isIP } from 'node:net'

import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server'

import type { Config, Feature } from '../../config.ts'
import { brandPath } from '../../features/upkeep/brand-pictures/rules/addresses.ts'
import { type Marketplace, UNNAMED } from '../../features/upkeep/marketplace/schemas.ts'
import type { CatalogEntry } from '../../http/api-catalog.ts'
import { letterMarkPath } from '../../platform/style/letter.ts'
import { accentOf } from '../../platform/style/mark.ts'
import { customerServer } from '../customer/definition.ts'
import { publicServer } from '../customer/public.ts'
import { proServer } from '../pro/definition.ts'
import type { McpServerDefinition } from './definition.ts'

export const CARD_TYPE = 'application/mcp-server-card+json'
export const VERSION = '1.0.0'

/** The protocol version without `initialize`, which the SDK does not export. */
const STATELESS_VERSION = '2026-07-28'

/** "Maple & Beam for pros": how clients name a server. */
export const titleOf = (site: Site, { audience }: Pick<CardSubject, 'audience'>): string =>
  audience === null ? site.name : `${site.name} for ${audience}`

type Site = Pick<Marketplace, 'name' | 'accent' | 'icon'>

interface CardSubject {
  readonly name: McpServerDefinition['name']
  /** Whom it is for, unless it is for everyone. */
  readonly audience: string | null
  readonly path: string
}

export interface AgentCard {
  readonly server: CardSubject
  /** The server exists when this flag is on. */
  readonly flag?: Feature
  /** At most 100 characters. */
  readonly description: string
  /** Undefined for the server that takes no key. */
  readonly keyHint?: string
  /** The path that the API documents; the protocol's own path is `<server>/server-card`. */
  readonly wellKnown: string
}

export const AGENT_CARDS: readonly AgentCard[] = [
  {
    server: proServer,
    flag: 'FEATURE_PRO_MCP',
    description: 'A home service pro’s leads, quotes, jobs, bookings and public content.',
    keyHint: 'A pro’s own key with the scopes mcp:read and mcp:write',
    wellKnown: '/.well-known/mcp/server-card.json',
  },
  {
    server: customerServer,
    description: 'Find home service pros and what was checked of them, see times, book, ask for quotes, read reviews.',
    keyHint: 'A key with mcp:read and mcp:write, or a widget’s key in pages of its origin',
    wellKnown: '/.well-known/mcp/customer-server-card.json',
  },
  {
    server: publicServer,
    description: 'Find verified home service pros, see open times, prices and reviews, without signing in.',
    wellKnown: '/.well-known/mcp/public-server-card.json',
  },
]

/** The cards of the servers that are on. */
export const cardsOf = ({ features }: Pick<Config, 'features'>): AgentCard[] =>
  AGENT_CARDS.filter(({ flag }) => !flag || features.has(flag))

/** The server's name in cards and in `initialize`: the host in reverse order, then the server. */
export function serverName({ baseUrl }: Pick<Config, 'baseUrl'>, { name }: Pick<CardSubject, 'name'>): string {
  return `${publisher(baseUrl).split('.').toReversed().join('.')}/hearth-${name}`
}

/** An IP address counts as this machine: it is not a domain name. */
const publisher = (baseUrl: string) => {
  const { hostname } = new URL(baseUrl)
  return isIP(hostname.replace(/^\[|\]$/g, '')) ? 'localhost' : hostname
}

/** The drawn mark, without the hash of an asset: directories keep the address. */
const markPath = (site: Site): string =>
  site.name === UNNAMED.name ? '/assets/hearth.svg' : letterMarkPath(site.name, accentOf(site))

/** The page and the icon that clients show beside the name of a server. */
export const appearanceOf = ({ baseUrl }: Pick<Config, 'baseUrl'>, site: Site) => ({
  websiteUrl: `${baseUrl}/api-docs`,
  icons: [
    site.icon
      ? {
          src: baseUrl + brandPath(site.icon),
          mimeType: 'image/png',
          sizes: [`${site.icon.width}x${site.icon.height}`],
        }
      : { src: baseUrl + markPath(site), mimeType: 'image/svg+xml', sizes: ['any'] },
  ],
})

const keyHeader = (description: string) => ({
  name: 'Authorization',
  description: 'An API key; without one, clients connect by OAuth',
  isRequired: false,
  isSecret: true,
  value: 'Bearer {apiKey}',
  variables: { apiKey: { description, isRequired: true, isSecret: true, placeholder: 'hearth_live_…' } },
})

export const serverCard = (
  config: Pick<Config, 'baseUrl'>,
  site: Site,
  { server, description, keyHint }: AgentCard,
) => ({
  $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
  name: serverName(config, server),
  version: VERSION,
  title: titleOf(site, server),
  description,
  ...appearanceOf(config, site),
  remotes: [
    {
      type: 'streamable-http',
      url: config.baseUrl + server.path,
      ...(keyHint === undefined ? {} : { headers: [keyHeader(keyHint)] }),
      supportedProtocolVersions: [STATELESS_VERSION, ...SUPPORTED_PROTOCOL_VERSIONS],
    },
  ],
})

/** The catalog of a host (/.well-known/ai-catalog.json): the address of each card. */
export const cardCatalog = (config: Pick<Config, 'baseUrl' | 'features'>, site: Site) => ({
  specVersion: '1.0',
  entries: cardsOf(config).map(({ server, description }) => ({
    identifier: `urn:air:${publisher(config.baseUrl)}:hearth-${server.name}`,
    displayName: titleOf(site, server),
    description,
    type: CARD_TYPE,
    url: `${config.baseUrl}${server.path}/server-card`,
  })),
})

/** The servers' entries in /.well-known/api-catalog. */
export const agentCatalogEntries = (config: Pick<Config, 'features'>): CatalogEntry[] =>
  cardsOf(config).map(({ server, wellKnown }) => ({
    path: server.path,
    'service-desc': [{ path: wellKnown, type: CARD_TYPE }],
    'service-doc': [{ path: '/api-docs', type: 'text/html' }],
  }))

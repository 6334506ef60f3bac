// /.well-known/api-catalog: leads programs from the host name to the API and its description (RFC 9727).
import { Elysia } from 'elysia'

import { cachedDocument } from './cached-document.ts'

const PATH = '/.well-known/api-catalog'
const TYPE = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"'

/** One API of this server, with the relations of RFC 8631. */
export interface CatalogEntry {
  /** The path under which the API is rooted. */
  path: string
  'service-desc': LinkTarget[]
  'service-doc'?: LinkTarget[]
  status?: LinkTarget[]
}

interface LinkTarget {
  path: string
  type: string
}

/** The REST interface. */
export const REST_API: CatalogEntry = {
  path: '/api/v1',
  'service-desc': [{ path: '/openapi.json', type: 'application/json' }],
  'service-doc': [{ path: '/api-docs', type: 'text/html' }],
  status: [{ path: '/healthz', type: 'application/json' }],
}

/** Serves the catalog as a linkset (RFC 9264), and as a Link header for HEAD requests. */
export const apiCatalog = ({ baseUrl, entries = [REST_API] }: { baseUrl: string; entries?: CatalogEntry[] }) => {
  const answer = cachedDocument(TYPE, () => JSON.stringify(linkset(baseUrl, entries)), {
    link: linkHeader(baseUrl, entries),
    'access-control-allow-origin': '*',
  })
  return new Elysia({ name: 'api-catalog' }).get(PATH, ({ request }) => answer(request))
}

function linkset(baseUrl: string, entries: CatalogEntry[]) {
  return {
    linkset: [
      { anchor: baseUrl + PATH, item: entries.map(({ path }) => ({ href: baseUrl + path })) },
      ...entries.map(({ path, ...relations }) => ({
        anchor: baseUrl + path,
        ...Object.fromEntries(
          Object.entries(relations).map(([relation, targets]) => [
            relation,
            targets.map((target) => ({ href: baseUrl + target.path, type: target.type })),
          ]),
        ),
      })),
    ],
  }
}

/** The same links as a Link header (RFC 8288), after the one to the catalog itself (RFC 9727 §3). */
const linkHeader = (baseUrl: string, entries: CatalogEntry[]): string =>
  [
    `<${baseUrl}${PATH}>; rel="api-catalog"`,
    ...linkset(baseUrl, entries).linkset.flatMap(({ anchor, ...relations }) =>
      Object.entries(relations).flatMap(([relation, targets]) =>
        targets.map((target) => link(anchor, relation, target)),
      ),
    ),
  ].join(', ')

const link = (anchor: string, relation: string, { href, type }: { href: string; type?: string }) =>
  `<${href}>; rel="${relation}"; anchor="${anchor}"${type ? `; type="${type}"` : ''}`

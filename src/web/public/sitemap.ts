// /robots.txt and the sitemaps of all pro and package pages (sitemaps.org/protocol.html).
import { Elysia } from 'elysia'

import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors/app-error.ts'
import { countPackageSitemaps, listPackageSkus } from '../../features/packages/verbs/packages.ts'
import { countSitemaps, listSlugs } from '../../features/pros/verbs.ts'
import { publicPage } from '../../auth/access.ts'
import { compressOnce } from '../../http/content-coding.ts'
import { guard } from '../../http/guard.ts'
import { publicText } from '../../http/json.ts'
import { cachedDocument } from '../../http/cached-document.ts'
import { documentRoute } from '../../http/headers.ts'

const XML = 'application/xml; charset=utf-8'
const NAMESPACE = 'http://www.sitemaps.org/schemas/sitemap/0.9'

/** Personal pages, pages behind a log-in, and paths without content to index. */
const DISALLOWED = [
  '/api/',
  '/assets/',
  '/bookings',
  '/calendars/',
  '/console',
  '/ops',
  '/pay/',
  '/quotes/',
  '/requests/',
  '/pros/*/book',
  '/pros/*/quote',
]

export const sitemaps = (deps: Deps) => {
  const { baseUrl } = deps.config
  const robots = cachedDocument('text/plain; charset=utf-8', () =>
    ['User-agent: *', ...DISALLOWED.map((path) => `Disallow: ${path}`), '', `Sitemap: ${baseUrl}/sitemap.xml`, ''].join(
      '\n',
    ),
  )
  return new Elysia({ name: 'sitemaps' })
    .use(guard(deps))
    .get('/robots.txt', ({ request }) => robots(request), documentRoute())
    .get(
      '/sitemap.xml',
      async function getSitemapIndex({ request }) {
        const count = await countSitemaps(deps)
        const parts = [
          ...Array.from({ length: count }, (_, index) => `${baseUrl}/sitemaps/${index}.xml`),
          ...Array.from(
            { length: await countPackageSitemaps(deps) },
            (_, index) => `${baseUrl}/sitemaps/packages-${index}.xml`,
          ),
        ]
        return xml(request, 'sitemapindex', parts.map(entry('sitemap')))
      },
      { access: publicPage, caching: 'public' },
    )
    .get(
      '/sitemaps/:part',
      async function getSitemap({ request, params: { part } }) {
        const [, kind, number] = /^(packages-)?(0|[1-9]\d{0,4})\.xml$/.exec(part) ?? []
        const paths =
          number === undefined ? [] : await pathsOf(deps, kind === undefined ? 'pros' : 'packages', Number(number))
        if (paths.length === 0)
          throw new AppError('not_found', `There is no such sitemap. ${baseUrl}/sitemap.xml lists all of them.`)
        return xml(request, 'urlset', paths.map((path) => `${baseUrl}${path}`).map(entry('url')))
      },
      { access: publicPage, caching: 'public' },
    )
}

async function pathsOf(deps: Deps, kind: 'pros' | 'packages', part: number): Promise<string[]> {
  const names = kind === 'pros' ? await listSlugs(deps, part) : await listPackageSkus(deps, part)
  return names.map((name) => `/${kind}/${name}`)
}

const entry = (name: 'url' | 'sitemap') => (address: string) =>
  `<${name}><loc>${Bun.escapeHTML(address)}</loc></${name}>\n`

const xml = (request: Request, root: string, entries: readonly string[]): Response =>
  publicText(
    request,
    `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="${NAMESPACE}">\n${entries.join('')}</${root}>\n`,
    { headers: { 'content-type': XML }, compress: compressOnce },
  )

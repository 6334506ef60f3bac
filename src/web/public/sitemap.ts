// /robots.txt and the sitemaps of all pages of pros, packages and services in cities (sitemaps.org/protocol.html).
import { Elysia } from 'elysia'

import type { Ctx } from '../../ctx.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors/app-error.ts'
import { countCityServiceSitemaps, listCityServices } from '../../features/catalog/services/verbs/city-services.ts'
import { countPackageSitemaps, listPackageSkus } from '../../features/business/packages/verbs/packages.ts'
import type { Marketplace } from '../../features/upkeep/marketplace/schemas.ts'
import { countSitemaps, listSlugs } from '../../features/search/pros/verbs/pros.ts'
import { publicPage } from '../../auth/access.ts'
import { compressOnce } from '../../http/content-coding.ts'
import { guard } from '../../http/guard.ts'
import { publicText } from '../../http/json.ts'
import { cachedDocument } from '../../http/cached-document.ts'
import { documentRoute } from '../../http/headers.ts'
import { siteOf } from '../ui/site.tsx'
import { cityPath } from './trails.ts'

const XML = 'application/xml; charset=utf-8'
const NAMESPACE = 'http://www.sitemaps.org/schemas/sitemap/0.9'

/**
 * Personal pages, pages behind a log-in, and paths without content to index. Not the style sheets and pictures of pages: search
 * engines look at pages as people see them. `$` ends a path, so that no page whose path begins alike is meant.
 */
const DISALLOWED = [
  '/api/',
  '/bookings',
  '/calendars/',
  '/console',
  '/my$',
  '/my/',
  '/oauth/',
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
      async function getSitemapIndex({ ctx, request }) {
        // What opens soon has nothing to be found yet.
        if (!siteOf(request).isOpen) return xml(request, 'sitemapindex', [])
        const count = await countSitemaps(ctx)
        const cities = await countCityServiceSitemaps(ctx)
        const parts = [
          ...Array.from({ length: count }, (_, index) => `${baseUrl}/sitemaps/${index}.xml`),
          ...Array.from(
            { length: await countPackageSitemaps(ctx) },
            (_, index) => `${baseUrl}/sitemaps/packages-${index}.xml`,
          ),
          ...cities.services.flatMap(({ slug }) =>
            Array.from({ length: cities.parts }, (_, index) => `${baseUrl}/sitemaps/cities-${slug}-${index}.xml`),
          ),
        ]
        return xml(request, 'sitemapindex', parts.map(entry('sitemap')))
      },
      { access: publicPage, caching: 'public' },
    )
    .get(
      '/sitemaps/:part',
      async function getSitemap({ ctx, request, params: { part } }) {
        const paths = await pathsOf(ctx, part, siteOf(request).area)
        if (paths.length === 0)
          throw new AppError('not_found', `There is no such sitemap. ${baseUrl}/sitemap.xml lists all of them.`)
        return xml(request, 'urlset', paths.map((path) => `${baseUrl}${path}`).map(entry('url')))
      },
      { access: publicPage, caching: 'public' },
    )
}

/** The paths that a sitemap lists; empty if there is no such sitemap. */
async function pathsOf(ctx: Ctx, file: string, area: Marketplace['area']): Promise<string[]> {
  const [, kind, slug = '', number = ''] =
    /^(packages-|cities-([a-z\d-]{1,100})-)?(0|[1-9]\d{0,3})\.xml$/.exec(file) ?? []
  if (number === '') return []
  if (slug !== '') {
    const { service, cities } = (await listCityServices(ctx, { slug, part: Number(number), area })) ?? { cities: [] }
    return service ? cities.map((city) => cityPath(service, city)) : []
  }
  if (kind === undefined) return (await listSlugs(ctx, { part: Number(number) })).map((it) => `/pros/${it}`)
  return (await listPackageSkus(ctx, { part: Number(number) })).map((it) => `/packages/${it}`)
}

const entry = (name: 'url' | 'sitemap') => (address: string) =>
  `<${name}><loc>${Bun.escapeHTML(address)}</loc></${name}>\n`

const xml = (request: Request, root: string, entries: readonly string[]): Response =>
  publicText(
    request,
    `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="${NAMESPACE}">\n${entries.join('')}</${root}>\n`,
    { headers: { 'content-type': XML }, compress: compressOnce },
  )

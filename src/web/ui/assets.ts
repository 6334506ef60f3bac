// The stylesheets, scripts and images of the pages, served from Hearth only, and the widget's script.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { Elysia } from 'elysia'

import type { Deps } from '../../deps.ts'
import { requestContextOf } from '../../auth/request-context.ts'
import { brandPath } from '../../features/upkeep/brand-pictures/rules/addresses.ts'
import { getMarketplace } from '../../features/upkeep/marketplace/verbs.ts'
import type { Marketplace } from '../../features/upkeep/marketplace/schemas.ts'
import { regionOf } from '../../platform/text/region.ts'
import { guard } from '../../http/guard.ts'
import { assetRoute, documentRoute } from '../../http/headers.ts'
import { cachedDocument } from '../../http/cached-document.ts'
import { siteDocument } from './site.tsx'
import { type Bundle, openBundles } from './bundles.ts'
import { hourGridSheet } from './hour-grid.ts'

const ownPath = (name: string) => join(import.meta.dir, 'assets', name)
const reader = (path: string) => () => new Uint8Array(readFileSync(path))
const ownFile = (name: string) => reader(ownPath(name))
const BUNDLES = await openBundles()
const bundle = (name: Bundle) => () => new TextEncoder().encode(BUNDLES.get(name))
const libraryFile = (path: string) => reader(fileURLToPath(import.meta.resolve(path)))

const FILES = {
  'address.js': bundle('address.js'),
  'api-docs.css': bundle('api-docs.css'),
  'brand.js': bundle('brand.js'),
  'booking.css': bundle('booking.css'),
  'hearth.css': bundle('hearth.css'),
  'hearth.svg': ownFile('hearth.svg'),
  'icon-180.png': ownFile('icon-180.png'),
  'og.png': ownFile('og.png'),
  'console.css': bundle('console.css'),
  'hour-grid.css': () => new TextEncoder().encode(hourGridSheet()),
  'console.js': bundle('console.js'),
  'chart.js': bundle('chart.js'),
  'form.js': bundle('form.js'),
  'operator.css': bundle('operator.css'),
  'ops.css': bundle('ops.css'),
  'ops.js': bundle('ops.js'),
  'pay.js': bundle('pay.js'),
  'preview.js': bundle('preview.js'),
  'print.js': bundle('print.js'),
  'questions.js': bundle('questions.js'),
  'quote.js': bundle('quote.js'),
  'reference.css': bundle('reference.css'),
  'queues.css': bundle('queues.css'),
  'search.css': bundle('search.css'),
  'search.js': bundle('search.js'),
  'try-operation.js': bundle('try-operation.js'),
  'upload.js': bundle('upload.js'),
  'figtree-5.3.0.woff2': libraryFile('@fontsource/figtree/files/figtree-latin-700-normal.woff2'),
  'htmx.js': libraryFile('htmx.org/dist/htmx.min.js'),
  'uplot.js': libraryFile('uplot/dist/uPlot.iife.min.js'),
  'uplot.css': libraryFile('uplot/dist/uPlot.min.css'),
} as const

export type Asset = keyof typeof FILES

const TYPES: Record<string, string> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  png: 'image/png',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
}

const urls = new Map<Asset, string>()

/** The URL of an asset. It contains a hash of the content, so that browsers may cache it for ever. */
export function assetUrl(name: Asset): string {
  const cached = urls.get(name)
  if (cached) return cached
  const digest = createHash('sha256').update(FILES[name]()).digest('base64url').slice(0, 10)
  const url = `/assets/${name}?v=${digest}`
  urls.set(name, url)
  return url
}

/** The routes of all assets, of the icon that browsers ask for by its name, and of /widget.js for pages of other sites. */
export function pageAssets(deps: Deps) {
  // Other sites load it.
  const headers = { 'cross-origin-resource-policy': 'cross-origin' }
  const widget = siteDocument(deps, { type: 'text/javascript; charset=utf-8', make: widgetScript, headers })
  const app = new Elysia({ name: 'page-assets' })
    .use(guard(deps))
    .get('/widget.js', ({ request }) => widget(request), documentRoute())
    .get(
      '/favicon.ico',
      async function getFavicon({ ctx, request }) {
        const { icon } = await getMarketplace(ctx)
        if (!icon) return favicon(request)
        requestContextOf(request).caching = 'personal'
        return new Response(null, { status: 302, headers: { location: brandPath({ id: icon.id, size: 'tab' }) } })
      },
      documentRoute(),
    )
  for (const [name, read] of Object.entries(FILES)) {
    const respond = cachedDocument(TYPES[name.split('.').at(-1) ?? ''] ?? '', read)
    app.get(`/assets/${name}`, ({ request }) => respond(request), assetRoute())
  }
  return app
}

/** The widget's script, with the rule of the region's postal codes. */
function widgetScript(site: Marketplace): string {
  const { label, keyboard, pattern, form } = regionOf(site).postal
  return `(POSTAL=>{${BUNDLES.get('widget.js') ?? ''}})(${JSON.stringify({ label, keyboard, pattern, form })});\n`
}

const favicon = cachedDocument('image/x-icon', ownFile('favicon.ico'))

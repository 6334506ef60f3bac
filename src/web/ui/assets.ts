// The stylesheets, scripts and images of the pages, served from Hearth only, and the widget's script.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { Elysia } from 'elysia'

import type { Deps } from '../../deps.ts'
import { guard } from '../../http/guard.ts'
import { assetRoute, documentRoute } from '../../http/headers.ts'
import { cachedDocument } from '../../http/cached-document.ts'
import { hourGridSheet } from './hour-grid.ts'

const ownPath = (name: string) => join(import.meta.dir, 'assets', name)
const reader = (path: string) => () => new Uint8Array(readFileSync(path))
const ownFile = (name: string) => reader(ownPath(name))
const libraryFile = (path: string) => reader(fileURLToPath(import.meta.resolve(path)))

const FILES = {
  'api-docs.css': ownFile('api-docs.css'),
  'booking.css': ownFile('booking.css'),
  'hearth.css': ownFile('hearth.css'),
  'hearth.svg': ownFile('hearth.svg'),
  'icon-180.png': ownFile('icon-180.png'),
  'og.png': ownFile('og.png'),
  'console.css': ownFile('console.css'),
  'hour-grid.css': () => new TextEncoder().encode(hourGridSheet()),
  'console.js': ownFile('console.js'),
  'chart.js': ownFile('chart.js'),
  'operator.css': ownFile('operator.css'),
  'ops.css': ownFile('ops.css'),
  'ops.js': ownFile('ops.js'),
  'pay.js': ownFile('pay.js'),
  'print.js': ownFile('print.js'),
  'quote.js': ownFile('quote.js'),
  'reference.css': ownFile('reference.css'),
  'queues.css': ownFile('queues.css'),
  'search.css': ownFile('search.css'),
  'search.js': ownFile('search.js'),
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
  let widget: ReturnType<typeof bundleWidget> | undefined
  const app = new Elysia({ name: 'page-assets' })
    .use(guard(deps))
    .get('/widget.js', async ({ request }) => (await (widget ??= bundleWidget()))(request), documentRoute())
    .get('/favicon.ico', ({ request }) => favicon(request), documentRoute())
  for (const [name, read] of Object.entries(FILES)) {
    const respond = cachedDocument(TYPES[name.split('.').at(-1) ?? ''] ?? '', read)
    app.get(`/assets/${name}`, ({ request }) => respond(request), assetRoute())
  }
  return app
}

/**
 * The widget as one script in a function of its own, so that it adds no names to the page. Other sites load it. Bundled at the
 * first request, in some 10 ms.
 */
async function bundleWidget(): Promise<(request: Request) => Response> {
  const { outputs } = await Bun.build({ entrypoints: [ownPath('widget.js')], format: 'iife', minify: true })
  const source = (await outputs[0]?.text()) ?? ''
  return cachedDocument('text/javascript; charset=utf-8', () => source, {
    'cross-origin-resource-policy': 'cross-origin',
  })
}

const favicon = cachedDocument('image/x-icon', ownFile('favicon.ico'))

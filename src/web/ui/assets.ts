// What our pages load: our stylesheet and scripts, and those of libraries, from here and nowhere else.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { Elysia } from 'elysia'

import { ASSET } from '../../http/headers.ts'
import { readyDocument } from '../../http/cached-document.ts'

const ours = (name: string) => join(import.meta.dir, 'assets', name)
const library = (path: string) => fileURLToPath(import.meta.resolve(path))

const FILES = {
  'api-docs.css': ours('api-docs.css'),
  'hearth.css': ours('hearth.css'),
  'hearth.svg': ours('hearth.svg'),
  'console.js': ours('console.js'),
  'chart.js': ours('chart.js'),
  'ops.css': ours('ops.css'),
  'ops.js': ours('ops.js'),
  'pay.js': ours('pay.js'),
  'queues.css': ours('queues.css'),
  'htmx.js': library('htmx.org/dist/htmx.min.js'),
  'uplot.js': library('uplot/dist/uPlot.iife.min.js'),
  'uplot.css': library('uplot/dist/uPlot.min.css'),
} as const

export type Asset = keyof typeof FILES

const TYPES: Record<string, string> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
}

const addresses = new Map<Asset, string>()

/** The address of an asset. It changes with the content, so that browsers keep what they have for good. */
export function assetUrl(name: Asset): string {
  const known = addresses.get(name)
  if (known) return known
  const digest = createHash('sha256').update(readFileSync(FILES[name])).digest('base64url').slice(0, 10)
  const address = `/assets/${name}?v=${digest}`
  addresses.set(name, address)
  return address
}

/** The routes of all assets. */
export function pageAssets() {
  const app = new Elysia({ name: 'page-assets' })
  for (const [name, file] of Object.entries(FILES)) {
    const answer = readyDocument(TYPES[name.split('.').at(-1) ?? ''] ?? '', () => readFileSync(file, 'utf8'))
    app.get(`/assets/${name}`, ({ request }) => answer(request), ASSET)
  }
  return app
}

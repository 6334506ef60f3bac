// The frame of our own pages, and the stylesheet they share.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { Elysia } from 'elysia'

import { DOCUMENT } from '../http/headers.ts'
import { readyDocument } from '../http/ready-document.ts'
import { type Html, html } from './html.ts'

export const PAGE_TYPE = 'text/html; charset=utf-8'

const STYLESHEET = '/assets/hearth.css'
const ICON = '/assets/hearth.svg'

interface Page {
  title: string
  /** One sentence for search engines and previews. */
  description: string
  content: Html
}

/** A whole page. The title is followed by our name in the browser's tab. */
export const page = ({ title, description, content }: Page): string =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title} · Hearth</title>
        <meta name="description" content="${description}" />
        <link rel="stylesheet" href="${STYLESHEET}" />
        <link rel="icon" type="image/svg+xml" href="${ICON}" />
      </head>
      <body>
        <header class="bar">
          <a class="brand" href="/api-docs">Hearth</a>
          <nav>
            <a href="/api-docs">API reference</a>
            <a href="/problems">Errors</a>
          </nav>
        </header>
        <main>${content}</main>
      </body>
    </html> `.toString()

/** The stylesheet and the icon. */
export function pageAssets() {
  const file = (name: string) => () => readFileSync(join(import.meta.dir, 'assets', name), 'utf8')
  const stylesheet = readyDocument('text/css; charset=utf-8', file('hearth.css'))
  const icon = readyDocument('image/svg+xml', file('hearth.svg'))
  return new Elysia({ name: 'page-assets' })
    .get(STYLESHEET, ({ request }) => stylesheet(request), DOCUMENT)
    .get(ICON, ({ request }) => icon(request), DOCUMENT)
}

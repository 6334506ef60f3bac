// The frame of our pages: for everyone, and for those who are logged in.
import type { Session } from '../../http/session.ts'
import { type Asset, assetUrl } from './assets.ts'
import { csrfField } from './forms.ts'
import { type Html, html } from './html.ts'
import { menuFor } from './menu.ts'

export const PAGE_TYPE = 'text/html; charset=utf-8'

export interface Page {
  title: string
  /** One sentence for search engines and previews. */
  description?: string
  content: Html
  /** Goes into the head besides: what machines read. */
  head?: Html
  /** Loaded after the page, besides the stylesheet. */
  scripts?: readonly Asset[]
  styles?: readonly Asset[]
}

/** A whole page for everyone. The title is followed by our name in the browser's tab. */
export const page = (it: Page): string =>
  document(
    it,
    html`<body>
      <header class="bar">
        <a class="brand" href="/">${logo()} Hearth</a>
        <nav aria-label="Hearth">
          <a href="/">Find a pro</a>
          <a href="/bookings">Your booking</a>
          <a href="/api-docs">API</a>
        </nav>
      </header>
      <main>${it.content}</main>
    </body>`,
  )

/** A whole page for someone who is logged in; `path` is where they are in the menu. */
export const pageFor = (session: Session, path: string, it: Page): string =>
  document(
    it,
    html`<body class="console">
      <a class="skip" href="#content">Skip to the content</a>
      <header class="bar">
        <a class="brand" href="/console">${logo()} Hearth</a>
        <div class="who">
          <a href="/console/account">${session.businessName ?? session.email}</a>
          <span class="badge">${session.role}</span>
          <form method="post" action="/console/logout">
            ${csrfField(session)}
            <button class="quiet small">Log out</button>
          </form>
        </div>
      </header>
      <nav class="menu" aria-label="Console">
        <ul>
          ${menuFor(session.role).map(
            ({ label, href }) =>
              html`<li><a href="${href}" ${isCurrent(path, href) && html`aria-current="page"`}>${label}</a></li>`,
          )}
        </ul>
      </nav>
      <main id="content">${it.content}</main>
    </body>`,
  )

/** Beside our name, which says the same. */
const logo = (): Html => html`<img src="${assetUrl('hearth.svg')}" alt="" width="22" height="22" />`

const isCurrent = (path: string, href: string) =>
  href === '/console' || href === '/ops' ? path === href : path === href || path.startsWith(`${href}/`)

const document = ({ title, description, head, scripts = [], styles = [] }: Page, body: Html): string =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title} · Hearth</title>
        ${description !== undefined && html`<meta name="description" content="${description}" />`}
        ${(['hearth.css', ...styles] as const).map((name) => html`<link rel="stylesheet" href="${assetUrl(name)}" />`)}
        <link rel="icon" type="image/svg+xml" href="${assetUrl('hearth.svg')}" />
        ${scripts.includes('htmx.js') && html`<meta name="htmx-config" content="${HTMX_CONFIG}" />`} ${head}
        ${scripts.map((name) => html`<script src="${assetUrl(name)}" defer></script>`)}
      </head>
      ${body}
    </html> `.toString()

/** Its own styles would be inline, and our Content-Security-Policy has none of that. */
const HTMX_CONFIG = JSON.stringify({ includeIndicatorCSS: false, history: false })

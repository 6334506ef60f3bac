// The layouts of the pages: for everyone, for developers, for logged-in people.
import type { CustomerSession } from '../../http/customer-session.ts'
import type { Session } from '../../http/session.ts'
import { type Asset, assetUrl } from './assets.ts'
import { csrfField } from './forms.ts'
import { type Html, html } from '../../platform/text/html.ts'
import { menuFor } from './menu.ts'

export const PAGE_TYPE = 'text/html; charset=utf-8'

export interface Page {
  title: string
  /** One sentence for search engines and link previews. */
  description?: string
  content: Html
  /** Further elements of the head, such as structured data. */
  head?: Html
  /** Loaded after the page has been parsed. */
  scripts?: readonly Asset[]
  styles?: readonly Asset[]
}

type Link = readonly [label: string, href: string]

const PUBLIC_LINKS: readonly Link[] = [
  ['Find a pro', '/'],
  ['My bookings', '/my'],
]
const DEVELOPER_LINKS: readonly Link[] = [
  ['API reference', '/api-docs'],
  ['Errors', '/problems'],
  ['Console', '/console'],
]

/** A page for everyone. */
export const page = (content: Page): string => framed(content, PUBLIC_LINKS)

/** A page for developers. */
export const developerPage = (content: Page): string => framed(content, DEVELOPER_LINKS)

/** A page for a signed-in customer. */
export const customerPage = (customer: CustomerSession, content: Page): string =>
  framed(
    content,
    PUBLIC_LINKS,
    html`<div class="who">
      <form method="post" action="/my/sign-out">
        ${csrfField(customer)}
        <button class="quiet small">Sign out</button>
      </form>
    </div>`,
  )

const framed = (content: Page, links: readonly Link[], more?: Html): string =>
  document(
    content,
    html`<body>
      <header class="bar">
        <a class="brand" href="/">${logo()} Hearth</a>
        <nav aria-label="Hearth">${links.map(([label, href]) => html`<a href="${href}">${label}</a> `)}</nav>
        ${more}
      </header>
      <main>${content.content}</main>
    </body>`,
  )

/** A page for a logged-in person. The menu marks the entry of `path` as current. */
export const consolePage = (session: Session, path: string, content: Page): string =>
  document(
    content,
    html`<body class="console">
      <a class="skip" href="#content">Skip to content</a>
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
      <main id="content">${content.content}</main>
    </body>`,
  )

/** Decorative: the name beside it says the same. */
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

/** The Content-Security-Policy forbids the inline styles that htmx adds by default. */
const HTMX_CONFIG = JSON.stringify({ includeIndicatorCSS: false, history: false })

// The layouts of the pages: for everyone, for developers, for logged-in people.
import type { CustomerSession } from '../../http/customer-session.ts'
import type { Session } from '../../http/session.ts'
import { type Html, html } from '../../platform/text/html.ts'
import { assetUrl } from './assets.ts'
import { csrfField } from './forms.ts'
import { type Page, document } from './head.ts'
import { type MenuGroup, followsTestMode, menuFor } from './menu.ts'

export type { Page }

export const PAGE_TYPE = 'text/html; charset=utf-8'

type Link = readonly [label: string, href: string]

const PUBLIC_LINKS: readonly Link[] = [
  ['Find a pro', '/'],
  ['My bookings', '/my'],
  ['For pros', '/for-pros'],
]
const DEVELOPER_LINKS: readonly Link[] = [
  ['API reference', '/api-docs'],
  ['Errors', '/problems'],
  ['Console', '/console'],
]

const FOOTER: readonly (readonly [heading: string, links: readonly Link[]])[] = [
  [
    'For your home',
    [
      ['Find a pro', '/'],
      ['My bookings', '/my'],
      ['Look up a booking', '/bookings'],
    ],
  ],
  [
    'For pros',
    [
      ['What Hearth does', '/for-pros'],
      ['Log in', '/console/login'],
    ],
  ],
  [
    'For developers',
    [
      ['API reference', '/api-docs'],
      ['Errors', '/problems'],
    ],
  ],
  [
    'Hearth',
    [
      ['How it works', '/about'],
      ['Booking terms', '/terms'],
      ['Privacy', '/privacy'],
    ],
  ],
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
      ${skipLink()}
      <header class="bar">
        <a class="brand" href="/">${logo()} Hearth</a>
        <nav aria-label="Hearth">${links.map(([label, href]) => html`<a href="${href}">${label}</a> `)}</nav>
        ${more}
      </header>
      <main id="content" tabindex="-1">${content.content}</main>
      ${footer()}
    </body>`,
  )

const footer = (): Html =>
  html`<footer class="foot">
    <nav aria-label="More of Hearth">
      ${FOOTER.map(
        ([heading, links]) =>
          html`<div>
            <p>${heading}</p>
            <ul>
              ${links.map(([label, href]) => html`<li><a href="${href}">${label}</a></li>`)}
            </ul>
          </div>`,
      )}
    </nav>
  </footer>`

/** A page for a logged-in person. The menu marks the entry of `path` as current; on a phone it opens on demand. */
export const consolePage = (session: Session, path: string, content: Page): string => {
  const groups = menuFor(session.role)
  const current = groups.flatMap(({ entries }) => entries).findLast(({ href }) => isCurrent(path, href))
  return document(
    content,
    html`<body class="console">
      ${skipLink()}
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
      <input type="checkbox" id="menu-open" class="menu-open" aria-label="Show the menu" aria-controls="menu" />
      <label for="menu-open" class="menu-button" aria-hidden="true">Menu<span>${current?.label ?? ''}</span></label>
      <nav class="menu" id="menu" aria-label="Console">${groups.map((group) => menuGroup(group, path))}</nav>
      <main id="content" tabindex="-1">
        ${session.testAccountId !== null && followsTestMode(session.role, path) && testModeBar(session)}
        ${content.content}
      </main>
    </body>`,
  )
}

/** On each page that shows the data of test mode. */
const testModeBar = (session: Session): Html =>
  html`<div class="notice wait test-mode" role="status">
    <p>
      <strong>Test mode.</strong> You see test keys, their webhooks and their usage.
      <a href="/console/test-mode">Test pros and data</a>
    </p>
    <form method="post" action="/console/test-mode">
      ${csrfField(session)}
      <input type="hidden" name="state" value="off" />
      <button class="quiet small">Leave test mode</button>
    </form>
  </div>`

const skipLink = (): Html => html`<a class="skip" href="#content">Skip to content</a>`

const menuGroup = ({ label, entries }: MenuGroup, path: string): Html =>
  html`${label !== null && html`<p>${label}</p>`}
    <ul>
      ${entries.map(
        ({ label, href }) =>
          html`<li><a href="${href}" ${isCurrent(path, href) && html`aria-current="page"`}>${label}</a></li>`,
      )}
    </ul>`

/** Decorative: the name beside it says the same. */
const logo = (): Html => html`<img src="${assetUrl('hearth.svg')}" alt="" width="22" height="22" />`

const isCurrent = (path: string, href: string) =>
  href === '/console' || href === '/ops' ? path === href : path === href || path.startsWith(`${href}/`)

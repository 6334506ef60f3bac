/** @jsxImportSource preact */
// The layouts of the pages: for everyone, for developers, for logged-in people.
import { Button } from './buttons.tsx'
import type { CustomerSession } from '../../http/customer-session.ts'
import type { Session } from '../../http/session.ts'
import type { VNode } from 'preact'
import { Brand } from './brand.tsx'
import { Form } from './form.tsx'
import { mayOpen } from '../../auth/users/rules/permissions.ts'
import { GuideBar } from './guide-bar.tsx'
import { GUIDE_PATH } from './guide-steps.ts'
import { type Page, document } from './head.tsx'
import { Icon } from './icons.tsx'
import { inForce } from '../../features/upkeep/legal-texts/schemas.ts'
import type { Marketplace } from '../../features/upkeep/marketplace/schemas.ts'
import { type MenuEntry, type MenuGroup, followsTestMode, menuFor } from './menu.ts'

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
      ['How it works for pros', '/for-pros'],
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
]

/** The links of the site itself, below its name. */
const ownLinks = ({ legal }: Marketplace): readonly Link[] => [
  ['How it works', '/about'],
  [inForce(legal, 'terms') ? 'Terms' : 'Booking terms', '/terms'],
  ['Privacy', '/privacy'],
  ...(inForce(legal, 'imprint') ? ([['Imprint', '/imprint']] as const) : []),
]

/** A page for everyone. */
export const page = (site: Marketplace, content: Page): string => framed(site, content, PUBLIC_LINKS)

/** A page for developers. */
export const developerPage = (site: Marketplace, content: Page): string => framed(site, content, DEVELOPER_LINKS)

/** A page for a signed-in customer. */
export const customerPage = (site: Marketplace, customer: CustomerSession, content: Page): string =>
  framed(
    site,
    content,
    PUBLIC_LINKS,
    <div class="who">
      <Form action="/my/sign-out" session={customer}>
        <Button look="quiet" isSmall>
          Sign out
        </Button>
      </Form>
    </div>,
  )

const framed = (site: Marketplace, content: Page, links: readonly Link[], more?: VNode): string =>
  document(
    site,
    content,
    <body>
      {skipLink()}
      <header class="bar">
        <a class="brand" href="/">
          <Brand site={site} />
        </a>
        <nav aria-label="Main">
          {links.map(([label, href]) => (
            <>
              <a href={href}>{label}</a>{' '}
            </>
          ))}
        </nav>
        {more}
      </header>
      <main id="content" tabindex={-1}>
        {!site.isOpen && !content.saysClosed && (
          <p class="notice wait">
            We are not open yet. <a href="/console">To the console</a>
          </p>
        )}
        {content.content}
      </main>
      {footer(site)}
    </body>,
  )

const footer = (site: Marketplace): VNode => (
  <footer class="foot">
    <nav aria-label="More pages">
      {[...FOOTER, [site.name, ownLinks(site)] as const].map(([heading, links]) => (
        <div>
          <p>{heading}</p>
          <ul>
            {links.map(([label, href]) => (
              <li>
                <a href={href}>{label}</a>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  </footer>
)

interface ConsolePage {
  readonly session: Session
  readonly path: string
  readonly content: Page
}

/** The role of the person, as precisely as it is known. */
const badgeOf = ({ role, operatorRole, proRole }: Session): string =>
  operatorRole ?? (proRole === null || proRole === 'owner' ? role : proRole)

/**
 * A page for a logged-in person. The menu marks the entry of `path` as current. On a phone its main entries stand at the bottom, and
 * the others open on demand.
 */
export const consolePage = (site: Marketplace, { session, path, content }: ConsolePage): string => {
  const groups = menuFor(session, site)
  const main = groups.flatMap(({ entries }) => entries).filter(({ isMain }) => isMain)
  return document(
    site,
    content,
    <body class="console">
      {skipLink()}
      <header class="bar">
        <a class="brand" href="/console">
          <Brand site={site} />
        </a>
        {session.role === 'operator' && path !== SEARCH && searchOfAll()}
        <div class="who">
          <a href="/console/account">{session.businessName ?? session.email}</a>{' '}
          <span class="badge">{badgeOf(session)}</span>
          <Form action="/console/logout" session={session}>
            <Button look="quiet" isSmall>
              Log out
            </Button>
          </Form>
        </div>
      </header>
      <nav class="menu" id="menu" aria-label="Console">
        {groups.map((group) => menuGroup(group, path))}
      </nav>
      <nav class="dock" aria-label="Main pages">
        <input type="checkbox" id="menu-open" class="menu-open" aria-label="Show the menu" aria-controls="menu" />
        {main.map((entry) => menuLink(entry, path))}
        <label for="menu-open" class="menu-button" aria-hidden="true">
          <Icon name="bars-3" /> <span>Menu</span>
        </label>
      </nav>
      <main id="content" tabindex={-1}>
        {!site.isOpen && session.role === 'operator' && mayOpen(session, GUIDE_PATH) && <GuideBar path={path} />}
        {session.testAccountId !== null && followsTestMode(session.role, path) && testModeBar(session)}
        {content.content}
      </main>
    </body>,
  )
}

const SEARCH = '/console/search'

/** On each page of operators: a caller is found from wherever they are. */
const searchOfAll = (): VNode => (
  <form class="seek" action={SEARCH} role="search" aria-label="Search everything">
    <input
      type="search"
      name="q"
      aria-label="Search everything"
      placeholder="Code, name, phone, e-mail, address"
      maxlength={200}
      autocomplete="off"
    />{' '}
    <Button look="quiet" isSmall>
      Search
    </Button>
  </form>
)

/** On each page that shows the data of test mode. */
const testModeBar = (session: Session): VNode => (
  <div class="notice wait test-mode" role="status">
    <p>
      <strong>Test mode.</strong> You see test keys, their webhooks and their usage.{' '}
      <a href="/console/test-mode">Test pros and data</a>
    </p>
    <Form action="/console/test-mode" session={session}>
      <input type="hidden" name="state" value="off" />{' '}
      <Button look="quiet" isSmall>
        Leave test mode
      </Button>
    </Form>
  </div>
)

const skipLink = (): VNode => (
  <a class="skip" href="#content">
    Skip to content
  </a>
)

const menuGroup = ({ label, entries }: MenuGroup, path: string): VNode => (
  <>
    {label !== null && <p>{label}</p>}
    <ul>
      {entries.map((entry) => (
        <li>{menuLink(entry, path)}</li>
      ))}
    </ul>
  </>
)

const menuLink = ({ label, href, icon }: MenuEntry, path: string): VNode => (
  <a href={href} aria-current={isCurrent(path, href) ? 'page' : undefined}>
    <Icon name={icon} /> <span>{label}</span>
  </a>
)

const isCurrent = (path: string, href: string) =>
  href === '/console' || href === '/ops' ? path === href : path === href || path.startsWith(`${href}/`)

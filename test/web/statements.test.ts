// Pages read what they show in a few statements, however many rows they list.
import { beforeAll, expect, test } from 'bun:test'

import type { Runner } from '../../src/platform/postgres/database.ts'
import { openTestApp } from '../support/app.ts'
import { useFixture } from '../support/fixture.ts'
import { Visitor, loggedInVisitor } from '../support/visitor.ts'

/** The most that a page runs: the pro's day, with its visits, requests, notices and proposals. */
const MAX_STATEMENTS = 9
const PAGES = {
  guest: ['/', '/plumbers/austin-tx', '/?service=plumbing&near=Austin%2C+TX', '/pros/:pro', '/pros/:pro/book'],
  pro: [
    '',
    'calendar',
    'bookings',
    'bookings?show=past',
    'leads',
    'jobs',
    'services',
    'settings',
    'team',
    'search?q=a',
  ],
  operator: ['', 'reviews', 'payments', 'users', 'verification'],
  developer: ['', 'keys', 'webhooks', 'webhooks/deliveries', 'usage'],
} as const
type Person = keyof typeof PAGES

const app = useFixture(() => openTestApp())
const statements: string[] = []
const visitors = new Map<Person, Visitor>()
let slug = ''

/** Notes the names of the statements that are run. */
function watch(runner: Runner): void {
  const run = runner.run.bind(runner)
  const noting = (...args: Parameters<typeof run>) => {
    statements.push(args[0])
    return run(...args)
  }
  Object.assign(runner, { run: noting })
}

beforeAll(async () => {
  const [busiest] = await app.deps.read.run<{ slug: string }>(
    'busiestPro',
    (sql) => sql`
      select p.slug from professionals p join bookings b on b.professional_id = p.id
      where p.active group by p.slug order by count(*) desc, p.slug limit 1`,
  )
  slug = busiest?.slug ?? ''
  visitors.set('guest', new Visitor(app))
  visitors.set('pro', await loggedInVisitor(app, 'pro', { pro: slug }))
  visitors.set('operator', await loggedInVisitor(app, 'operator'))
  visitors.set('developer', await loggedInVisitor(app, 'developer'))
  for (const runner of [app.deps.read, app.deps.write]) watch(runner)
})

const cases = Object.entries(PAGES).flatMap(([person, paths]) =>
  paths.map((path): [Person, string] => [person as Person, person === 'guest' ? path : `/console/${path}`]),
)

test.each(cases)(
  `a %s's page %s runs at most ${MAX_STATEMENTS} statements, none of them for each row`,
  async (person, path) => {
    const open = async () => await visitors.get(person)?.get(path.replace(':pro', slug).replace(/\/$/, '') || '/')
    // The first one fills caches.
    await open()
    statements.length = 0
    expect((await open())?.status).toBe(200)
    expect([statements.length <= MAX_STATEMENTS, statements]).toEqual([true, statements])
  },
)

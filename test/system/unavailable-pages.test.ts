// While PostgreSQL is away, pages speak to people, who know nothing of a key that programs send.
import { expect, test } from 'bun:test'

import { openTestApp } from '../support/app.ts'
import { nameOf, routes } from '../support/app-routes.ts'
import { openFailingPostgres } from '../support/failing-postgres.ts'
import { opened } from '../support/fixture.ts'
import { startServer } from '../support/server.ts'
import { Visitor, createTestUser } from '../support/visitor.ts'

const app = await opened(openTestApp('migrated'))
const proxy = await opened(openFailingPostgres(app.databaseUrl))
// Were listening to fail as well, each request would fail before its route runs.
const env = { DATABASE_DIRECT_URL: app.databaseUrl }
const server = await opened(startServer({ databaseUrl: proxy.url, env }), 'stop')
const newVisitor = () =>
  new Visitor({ app: app.app, deps: { config: { baseUrl: server.url } } }, (request) => fetch(request))

/** What programs call, pictures, and what ends the session. */
const NO_PAGES =
  /^\/(api|oauth\/(token|register|revoke)|\.well-known|openapi\.json|sandbox|webhooks|assets)\b|\.jpg$|log-?out$|sign-out$/
const pages = routes.filter(({ path }) => !NO_PAGES.test(path))

test('no page speaks of an Idempotency-Key', async () => {
  const operator = newVisitor()
  expect((await operator.logIn(await createTestUser(app, 'operator'))).location).toBe('/console')
  const csrf = await operator.csrfToken()
  const people = [newVisitor(), operator]
  const texts: (readonly [page: string, status: number, text: string])[] = []
  proxy.failWith('53300')
  try {
    for (const route of pages)
      for (const person of people) {
        const path = route.path.replace(/:\w+/g, crypto.randomUUID()).replace('*', '')
        const answer = await (route.method === 'GET' ? person.get(path) : person.postRaw(path, { csrf }))
        texts.push([nameOf(route), answer.status, answer.text])
      }
  } finally {
    proxy.recover()
  }
  expect(texts.filter(([, , text]) => text.includes('Idempotency-Key')).map(([page]) => page)).toEqual([])
  expect(texts.filter(([, status]) => status === 503).length).toBeGreaterThan(100)
}, 60_000)

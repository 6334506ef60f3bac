// The types of the routes reach a TypeScript client: Eden infers them from the application.
import { expect, test } from 'bun:test'
import { treaty } from '@elysiajs/eden'

import type { createApp } from '../../src/app.ts'
import { openTestApp } from '../support/app.ts'
import { opened } from '../support/fixture.ts'

type App = ReturnType<typeof createApp>
/** True for `any`, which a type error in the chain of plugins would silently produce. */
type IsAny<T> = 0 extends 1 & T ? true : false

const world = await opened(openTestApp('seeded'))

const openClient = () =>
  treaty<App>(world.deps.config.baseUrl, {
    fetcher: (async (input: string, init?: RequestInit) => await world.app.handle(new Request(input, init))) as never,
  }).api.v1

test('a typed client reads a search, a price and a refused booking without a cast', async () => {
  const client = openClient()
  const pros = await client.pros.get({ query: { service: 'plumber', limit: 1 } })
  const isAny: IsAny<NonNullable<typeof pros.data>> = false
  expect([isAny, pros.status]).toEqual([false, 200])
  const total: number | undefined = pros.data?.meta.total
  expect(total).toBeGreaterThan(0)

  const price = await client.pricing.get({ query: { service: 'plumber' } })
  const unit: string | null | undefined = price.data?.pricing?.unit
  expect(unit).toBe('hour')

  const refused = await client.bookings.get({ query: { code: 'HTH-000000000000' } })
  const isErrorAny: IsAny<NonNullable<typeof refused.error>['value']> = false
  expect([isErrorAny, refused.status, refused.data]).toEqual([false, 404, null])
})

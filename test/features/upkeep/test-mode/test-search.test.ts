// The search of agents with a test key: its test pros, by open times and in an order, as with a live key.
import { expect, test } from 'bun:test'

import { CUSTOMER_SERVER, callTool } from '../../../support/agents.ts'
import { opened } from '../../../support/fixture.ts'
import { openTestMode } from '../../../support/test-mode.ts'

const mode = await opened(openTestMode())
const service = mode.real.serviceId

interface Found {
  professionals: {
    id: string
    opens?: { startDateTime: string; localTime: string }
    services: { id: string; price?: { base?: number } }[]
  }[]
  meta: { total: number }
}

const search = async (args: object): Promise<Found> => {
  const { isError, structured, texts } = await callTool(
    mode.world.app,
    CUSTOMER_SERVER,
    mode.keys.test,
    'search_pros',
    args,
  )
  expect([isError, isError ? texts[0] : '']).toEqual([false, ''])
  return structured as unknown as Found
}
const opensOf = ({ professionals }: Found) => professionals.map(({ opens }) => opens?.startDateTime ?? '')
/** A test pro's calendar is that of its city. */
const hourOf = ({ localTime }: { localTime: string }) => /(\d+):(\d\d) (AM|PM)/.exec(localTime)

test('a test key finds the test pros with an open time on a day, between two hours, each with the first one', async () => {
  const all = await search({ service })
  const sooner = await search({ service, sort: 'earliest' })
  expect(sooner.meta.total).toBeGreaterThan(0)
  expect(opensOf(sooner)).toEqual(opensOf(sooner).toSorted())
  const day = opensOf(sooner)[0]?.slice(0, 10) ?? ''
  const later = new Date(Date.parse(day) + 6 * 86_400_000).toISOString().slice(0, 10)
  const afternoon = await search({ service, date: later, after: '13:00', before: '15:00' })
  for (const { id, opens } of afternoon.professionals) {
    expect(all.professionals.map((pro) => pro.id)).toContain(id)
    expect(opens?.startDateTime).toStartWith(later)
    expect(hourOf(opens ?? { localTime: '' })?.slice(1)).toEqual([
      expect.stringMatching(/^[12]$/),
      expect.any(String),
      'PM',
    ])
  }
  expect(afternoon.professionals.length).toBeGreaterThan(0)
  expect((await search({ service, date: later, after: '03:00', before: '03:05' })).meta.total).toBe(0)
})

test('a test key sorts by price and rating, and pages', async () => {
  // The pros are made alike; now the first by id is the dearest.
  await mode.world.sql`
    update professional_services o set base_price_cents = 10000 + 1000 * (
      select count(*) from professionals p
      where p.test_account_id = (select test_account_id from professionals where id = o.professional_id) and p.id > o.professional_id)
    where o.professional_id in (select id from professionals where test_account_id is not null)`
  const byPrice = await search({ service, sort: 'price' })
  const prices = byPrice.professionals.map(({ services: [service] }) => service?.price?.base ?? Infinity)
  expect(prices).toEqual(prices.toSorted((a, b) => a - b))
  expect(new Set(prices).size).toBeGreaterThan(1)
  const rated = await search({ service, sort: 'rating' })
  expect(rated.meta.total).toBe(byPrice.meta.total)
  const second = await search({ service, sort: 'rating', limit: 1, offset: 1 })
  expect(second.professionals.map(({ id }) => id)).toEqual(rated.professionals.slice(1, 2).map(({ id }) => id))
})

test('a test key is told of a past date', async () => {
  const args = { service, date: '2020-01-01' }
  const { isError, texts } = await callTool(mode.world.app, CUSTOMER_SERVER, mode.keys.test, 'search_pros', args)
  expect([isError, texts[0]]).toEqual([true, expect.stringContaining('past')])
})

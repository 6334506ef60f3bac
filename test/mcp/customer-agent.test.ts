// Stories of homeowners, told to an agent that knows only tools/list. Each must end well, without a dead end.
import { afterAll, expect, test } from 'bun:test'

import { PRESETS } from '../../src/auth/scopes.ts'
import { sendQuote } from '../../src/features/quoting/quotes/verbs/quotes.ts'
import { CUSTOMER_SERVER, agentKey, callTool, rpc } from '../support/agents.ts'
import { openTestApp } from '../support/app.ts'
import { VISIT, manualClock } from '../support/booking-fixture.ts'
import { customerToken } from '../support/connected-app.ts'
import { FollowingAgent, type ListedTool } from '../support/following-agent.ts'
import { opened } from '../support/fixture.ts'
import { ctxOf } from '../../src/ctx.ts'

const clock = manualClock('2026-06-01T12:00:00.000Z')

const app = await opened(openTestApp('seeded', { clock }))
const PERSON = {
  guestName: 'Homeowner in Austin',
  guestEmail: 'home@test.example',
  ...VISIT,
  customer: { name: 'Homeowner in Austin', email: 'home@test.example' },
  description: 'The kitchen drain is blocked.',
}
const deadEnds: string[] = []
const key = await agentKey(app)
afterAll(() => {
  process.stdout.write(`dead ends of customers' agents: ${deadEnds.length}\n`)
  expect(deadEnds).toEqual([])
})

/** An agent for one errand, with a key or the token of a customer who connected it. */
async function agentFor(as = key): Promise<FollowingAgent> {
  const { reply } = await rpc(app, CUSTOMER_SERVER, as, 'tools/list')
  const agent: FollowingAgent = new FollowingAgent(
    (reply.result?.['tools'] ?? []) as ListedTool[],
    (name, args) => callTool(app, CUSTOMER_SERVER, as, name, args),
    PERSON,
    async (url) => {
      const secret = agent.known['clientSecret']
      if (typeof secret === 'string' && url.includes('pay'))
        await app.send(`/sandbox/payments/${secret}`, { json: { outcome: 'succeeds' } })
    },
  )
  return agent
}

/** Tells the story to an agent, and keeps its dead ends. */
const story = (name: string, tell: (agent: FollowingAgent) => Promise<void>) =>
  test(name, async () => {
    const agent = await agentFor()
    await tell(agent).finally(() => deadEnds.push(...agent.deadEnds))
    expect([agent.deadEnds, agent.calls.length <= 20]).toEqual([[], true])
  })

const PLUMBER = { q: 'plumbers austin tx' }
const CONFIRMED = /"status":"confirmed"/
const book = (agent: FollowingAgent, wish: object = PLUMBER) =>
  agent.reach('Book an appointment', CONFIRMED, { instantBook: true, ...wish })

story('books a plumber; the person pays', async (agent) => {
  expect(await book(agent)).toMatch(CONFIRMED)
})

story('books after a misspelt service', async (agent) => {
  expect(await book(agent, { service: 'plummer', city: 'Austin', state: 'TX' })).toMatch(CONFIRMED)
})

story('books the next time when the chosen one was taken meanwhile', async (agent) => {
  await agent.reach('See open times', /"startDateTime"/, { ...PLUMBER, instantBook: true })
  const other = await agentFor()
  Object.assign(other.known, agent.known)
  await book(other, { ...PLUMBER, guestEmail: 'other@test.example' })
  const taken = agent.known['startDateTime']
  expect(await book(agent)).toMatch(CONFIRMED)
  expect([other.known['startDateTime'] === taken, agent.known['startDateTime'] === taken]).toEqual([true, false])
})

story('compares reviews before it asks for anything', async (agent) => {
  expect(await agent.reach('Read reviews', /"stats"/, PLUMBER)).toContain('"average"')
})

story('turns the person’s words into a service', async (agent) => {
  expect(
    await agent.reach('List services', /"professionals":\[\{/, { q: 'drain', city: 'Austin', state: 'TX' }),
  ).toContain('"id"')
})

story('requests a quote where nothing can be booked', async (agent) => {
  expect(await agent.reach('See open times', /"rfq"/, { ...PLUMBER, instantBook: false })).toContain('requestUrl')
})

story('follows a request to its quote, which the person answers', async (agent) => {
  await agent.reach('Request a quote', /"rfq"/, PLUMBER)
  const { professionalId, rfqId } = agent.known as { professionalId: string; rfqId: string }
  await sendQuote(ctxOf(app.deps, { accountId: professionalId, professionalId }), { rfqId, amount: 480 })
  expect(await agent.reach('See a quote request', /"quotes":\[\{/)).toMatch(/the person opens http\S+\/quotes\//)
})

story('moves a booking', async (agent) => {
  await book(agent)
  const before = agent.known['startDateTime']
  delete agent.known['startDateTime']
  expect(await agent.reach('Move a booking', CONFIRMED)).toMatch(CONFIRMED)
  expect(agent.known['startDateTime']).not.toBe(before)
})

story('cancels a booking in time', async (agent) => {
  await book(agent, { ...PLUMBER, date: '2026-06-10' })
  expect(await agent.reach('Cancel a booking', /"status":"cancelled"/)).toContain('goes back')
})

test('finds the bookings of a customer who connected it', async () => {
  const agent = await agentFor(await customerToken(app, 'home@test.example'))
  expect(await agent.reach('See a booking', /"canMove"/)).toContain('"booking":')
  deadEnds.push(...agent.deadEnds)
})

story('cancels late once the person accepts what it costs', async (agent) => {
  await book(agent)
  clock.set(new Date(Date.parse(String(agent.known['startDateTime'])) - 3_600_000).toISOString())
  expect(await agent.reach('Cancel a booking', /"status":"cancelled"/)).toContain('Nothing is refunded')
})

story('reviews a visit that is over', async (agent) => {
  await book(agent)
  const { bookingId, startDateTime } = agent.known as { bookingId: string; startDateTime: string }
  clock.set(new Date(Date.parse(startDateTime) + 3_600_000).toISOString())
  await completeVisit(bookingId)
  const words = { rating: 5, content: 'On time and careful.' }
  expect(await agent.reach('Review a pro', /"status":"pending"/, words)).toContain('not published yet')
})

async function completeVisit(bookingId: string): Promise<void> {
  const [pro] = await app.sql<{ email: string }[]>`
    select a.email from bookings b join professionals p on p.id = b.professional_id join accounts a on a.id = p.account_id
    where b.id = ${bookingId}`
  const json = { action: 'complete' }
  const proKey = await app.key(PRESETS['pro-dashboard'], pro?.email ?? '')
  expect((await app.send(`/api/v1/pro/bookings/${bookingId}`, { key: proKey, json })).status).toBe(200)
}

// A client that can ask its person is told what to ask: pages to pay and to sign in on, and whether a change is agreed to. The
// official client, which asks and calls again by itself.
import { expect, test } from 'bun:test'

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'

import { CUSTOMER_SERVER, PRO_SERVER, agentKey, callTool, setPlan } from '../support/agents.ts'
import { type FixturePro, VISIT, book, openBookingFixture, pay } from '../support/booking-fixture.ts'
import { opened } from '../support/fixture.ts'
import { openTestApp } from '../support/app.ts'
import { proposalActions } from '../support/proposals.ts'
import { quotingPro } from '../support/quotes.ts'

interface Asked {
  mode?: string
  url?: string
  message: string
}
type Answer = { action: 'accept' | 'decline' | 'cancel'; content?: Record<string, boolean> }
type App = Parameters<typeof callTool>[0]

const world = await opened(openBookingFixture())
const key = await agentKey(world.app)

/** Calls a tool with the official client, whose person answers with `answer`. Returns the questions and the result. */
async function callAsking(
  { app, deps }: App,
  call: { path: string; key: string; name: string; args: object; capabilities?: { form?: object; url?: object } },
  answer: (asked: Asked) => Answer | Promise<Answer>,
) {
  const asked: Asked[] = []
  const { form, url } = call.capabilities ?? { form: {}, url: {} }
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    {
      capabilities: { elicitation: { ...(form && { form: {} }), ...(url && { url: {} }) } },
      versionNegotiation: { mode: { pin: '2026-07-28' } },
    },
  )
  client.setRequestHandler('elicitation/create', async ({ params }) => {
    asked.push(params)
    return await answer(params)
  })
  const transport = new StreamableHTTPClientTransport(new URL(deps.config.baseUrl + call.path), {
    requestInit: { headers: { authorization: `Bearer ${call.key}` } },
    fetch: async (target, init) => await app.handle(new Request(String(target), init)),
  })
  await client.connect(transport)
  const result = await client.callTool({ name: call.name, arguments: { ...call.args } })
  await client.close()
  const { isError = false, structuredContent = {}, content } = result
  return { asked, isError, structured: structuredContent as Record<string, unknown>, text: JSON.stringify(content) }
}

const booking = (pro: FixturePro, changes: object = {}) => ({
  path: CUSTOMER_SERVER,
  key,
  name: 'book_appointment',
  args: {
    professionalId: pro.id,
    serviceId: pro.serviceId,
    startDateTime: '2026-11-23T15:00:00Z',
    guestName: 'Homeowner in Austin',
    guestEmail: 'home@test.example',
    ...VISIT,
    idempotencyKey: crypto.randomUUID(),
    ...changes,
  },
})

const secretOf = (url = '') => decodeURIComponent(url.split('/').at(-1) ?? '')

test('a person pays on the page that the client opens, and the result tells that the booking is confirmed', async () => {
  const call = booking(await world.pro())
  const { asked, structured } = await callAsking(world.app, call, async ({ url }) => {
    await pay(world, secretOf(url))
    return { action: 'accept' }
  })
  expect(asked).toMatchObject([{ mode: 'url', message: expect.stringContaining('Pay 55 USD') }])
  expect(structured).toMatchObject({ status: 'confirmed', payUrl: null })
})

test('a person who does not open the page leaves the booking pending, with the page in the result', async () => {
  const call = booking(await world.pro())
  const { asked, structured } = await callAsking(world.app, call, () => ({ action: 'decline' }))
  expect(structured).toMatchObject({ status: 'pending', payUrl: asked[0]?.url })
})

test('a client that cannot open pages, and a call that cannot be repeated, get the result at once', async () => {
  const unable = await callAsking(world.app, { ...booking(await world.pro()), capabilities: { form: {} } }, () => ({
    action: 'decline',
  }))
  const once = await callAsking(world.app, booking(await world.pro(), { idempotencyKey: undefined }), () => ({
    action: 'decline',
  }))
  for (const { asked, structured } of [unable, once]) {
    expect(asked).toEqual([])
    expect(structured).toMatchObject({ status: 'pending', payUrl: expect.stringContaining('/pay/') })
  }
})

test('cancel_booking asks the person, and a declined or unanswered question changes nothing', async () => {
  const created = await book(world, await world.pro({ deposit: false }))
  const call = { path: CUSTOMER_SERVER, key, name: 'cancel_booking', args: { manageUrl: created.manageUrl } }
  const status = async () => {
    const { structured } = await callTool(world.app, CUSTOMER_SERVER, key, 'get_booking', {
      manageUrl: created.manageUrl,
    })
    return (structured as { booking: { status: string } }).booking.status
  }
  const answers: Answer[] = [
    { action: 'decline' },
    { action: 'cancel' },
    { action: 'accept', content: { agree: false } },
    { action: 'accept' },
  ]
  for (const answer of answers) {
    const { asked, isError, text } = await callAsking(world.app, call, () => answer)
    expect(asked).toMatchObject([
      { message: expect.stringMatching(/^Cancel .+ on Monday, November 23, 9:00 AM Central Time\?$/) },
    ])
    expect([isError, text, await status()]).toEqual([true, expect.stringContaining('declined'), 'confirmed'])
  }
  const { structured } = await callAsking(world.app, call, () => ({ action: 'accept', content: { agree: true } }))
  expect([structured['status'], await status()]).toEqual(['cancelled', 'cancelled'])
})

test('a caller with a key who names a booking by its id is asked to let the person sign in', async () => {
  const { booking } = await book(world, await world.pro({ deposit: false }))
  const call = { path: CUSTOMER_SERVER, key, name: 'get_booking', args: { bookingId: booking.id } }
  const { asked, isError } = await callAsking(world.app, call, () => ({ action: 'accept' }))
  expect(asked).toMatchObject([{ mode: 'url', url: `${world.app.deps.config.baseUrl}/my/bookings/${booking.id}` }])
  expect(isError).toBe(true)
})

test('confirm_action asks the pro by a form and applies only what they agree to', async () => {
  const app = await openTestApp()
  const pro = await quotingPro(app)
  await setPlan(app, pro.professionalId, 'business')
  const actions = proposalActions(app, pro)
  const proposal = await actions.proposePrice()
  const call = {
    path: PRO_SERVER,
    key: await app.key(['mcp:read', 'mcp:write'], pro.email),
    name: 'confirm_action',
    args: { proposalId: proposal.id },
  }
  const declined = await callAsking(app, call, () => ({ action: 'decline' }))
  expect(declined.asked).toMatchObject([{ message: `Apply this change? ${proposal.summary}` }])
  expect([declined.isError, (await actions.read(proposal.id)).status]).toEqual([true, 'open'])
  const agreed = await callAsking(app, call, () => ({ action: 'accept', content: { agree: true } }))
  expect([agreed.structured, (await actions.read(proposal.id)).status]).toMatchObject([
    { proposal: { status: 'confirmed' } },
    'confirmed',
  ])
  await app.close()
})

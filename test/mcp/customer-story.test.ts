// A homeowner's agent that knows only tools/list finds a pro, sees open times and books; a person pays, and the booking is
// confirmed. Every call and result matches the listed schemas.
import { expect, test } from 'bun:test'

import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

import { VISIT } from '../support/booking-fixture.ts'
import { CUSTOMER_SERVER, agentKey, callTool, rpc } from '../support/agents.ts'
import { watchPage } from '../support/browser.ts'
import { useConsole } from '../support/console.ts'

interface Listed {
  name: string
  description: string
  inputSchema: object
  outputSchema: object
}

const world = await useConsole({ env: { INSTANT_BOOKING_FEE_CENTS: '500' } })
const ajv = addFormats.default(new Ajv2020({ strict: false, allErrors: true }))
const key = await agentKey(world.app)
const { reply } = await rpc(world.app, CUSTOMER_SERVER, key, 'tools/list')
const tools = new Map(((reply.result?.['tools'] ?? []) as Listed[]).map((tool) => [tool.name, tool]))

/** Calls a tool and checks input and output against the listed schemas. */
async function callListedTool<T>(name: string, args: object): Promise<T> {
  const tool = tools.get(name)
  if (!tool) throw new Error(`${name} is not in tools/list.`)
  expect([name, ajv.validate(tool.inputSchema, args), ajv.errors ?? []]).toEqual([name, true, []])
  const { isError, structured, texts } = await callTool(world.app, CUSTOMER_SERVER, key, name, args)
  expect([name, isError, isError ? texts[0] : '']).toEqual([name, false, ''])
  expect([name, ajv.validate(tool.outputSchema, structured), ajv.errors ?? []]).toEqual([name, true, []])
  return structured as T
}

interface SearchResult {
  professionals: { id: string; instantBookingEnabled: boolean; services: { id: string; name: string }[] }[]
}
interface Times {
  days: { date: string; open: { startDateTime: string }[] }[]
}

/** The first pro with an open time for one of their services. */
async function findTime(): Promise<{ professionalId: string; serviceId: string; startDateTime: string }> {
  const { professionals } = await callListedTool<SearchResult>('search_pros', { instantBook: true, limit: 5 })
  for (const { id: professionalId, services } of professionals)
    for (const { id: serviceId } of services) {
      const { days } = await callListedTool<Times>('query_availability', { professionalId, serviceId })
      const startDateTime = days.flatMap(({ open }) => open)[0]?.startDateTime
      if (startDateTime) return { professionalId, serviceId, startDateTime }
    }
  throw new Error('No pro has an open time.')
}

test('an agent finds a pro, sees times and books, and the booking is confirmed when a person pays on the page', async () => {
  const input = {
    ...(await findTime()),
    guestName: 'Homeowner in Austin',
    guestEmail: 'story@test.example',
    ...VISIT,
    description: 'Call before you come.',
    idempotencyKey: crypto.randomUUID(),
  }
  const created = await callListedTool<{
    bookingId: string
    status: string
    payUrl: string
    statusUrl: string
    amount: number
  }>('book_appointment', input)
  expect(created).toMatchObject({ status: 'pending', amount: 5 })
  // A retry returns the same booking.
  expect(await callListedTool<object>('book_appointment', input)).toMatchObject({ bookingId: created.bookingId })
  const status = async () => {
    const { pathname, search } = new URL(created.statusUrl)
    const { booking } = (await (await world.app.send(pathname + search)).json()) as { booking: { status: string } }
    return booking.status
  }
  expect(await status()).toBe('pending')

  const { page, outside, errors } = await watchPage(world.browser)
  await page.goto(created.payUrl)
  await page.getByRole('button', { name: 'Pay', exact: true }).click()
  await page.getByText('Payment received. Thank you').waitFor()
  expect([outside, errors]).toEqual([[], []])
  expect(await status()).toBe('confirmed')
  await page.context().close()
}, 60_000)

// Operators add places of their own, which searches and forms understand like cities; they rename them, and remove those without pros.
import { expect, test } from 'bun:test'

import { ctxOf } from '../../../src/ctx.ts'
import { getCatalogNames } from '../../../src/features/catalog/services/verbs/names.ts'
import { positionIn } from '../../../src/features/catalog/services/rules/districts.ts'
import { waitUntil } from '../../../src/platform/clock/deadlines.ts'
import { opened } from '../../support/fixture.ts'
import { openToronto } from '../../support/toronto.ts'
import { Visitor, loggedInVisitor } from '../../support/visitor.ts'

const PATH = '/console/area/districts'
const toronto = await opened(openToronto())
const { app } = toronto
const operator = await loggedInVisitor(app, 'operator')
const visitor = new Visitor(app)
const annex = { name: 'The Annex', state: 'ON', position: '43.670, -79.404' }

const placeOf = async (text: string) => (await getCatalogNames(ctxOf(app.deps))).place(text)
const idOf = async (name: string) => {
  const [row] = await app.sql<{ id: number }[]>`select id from cities where name = ${name} and id >= 1000000000`
  return row?.id ?? 0
}

test('a place that was added is understood with its city, its province and a slip of the pen', async () => {
  expect((await operator.get('/console/area')).text).toContain(`href="${PATH}"`)
  expect((await operator.get(PATH)).text).toContain('No place added yet')
  expect(await placeOf('The Annex, Toronto, ON')).toBeUndefined()
  const added = await operator.post(PATH, annex)
  expect([added.status, added.location]).toEqual([303, PATH])
  expect((await operator.get(PATH)).text).toContain('The Annex is added.')
  const id = await idOf('The Annex')
  const isKnown = async () => (await placeOf('The Annex'))?.city?.id === id
  expect(await waitUntil(isKnown, 10_000)).toBe(true)
  for (const text of [
    'The Annex, ON',
    'the annex toronto',
    'The Annex, Toronto, ON',
    'annex, ontario',
    'Annex, Toronto, Ontario, Canada',
  ])
    expect([text, (await placeOf(text))?.city?.id]).toEqual([text, id])
  const [row] = await app.sql`select time_zone from cities where id = ${id}`
  expect(row).toEqual({ timeZone: 'America/Toronto' })
  const search = await visitor.get('/?service=plumber&place=The Annex, Toronto, ON')
  expect(search.text).toContain('near The Annex, ON')
  const { places } = (await (await app.send('/api/v1/places?q=the ann')).json()) as {
    places: { displayName: string }[]
  }
  expect(places.map(({ displayName }) => displayName)).toContain('The Annex, ON')
})

test('each wrong field is named, and what was typed stays', async () => {
  for (const [changes, field, message] of [
    [{ name: '123' }, 'name', 'among them a letter'],
    [{ name: 'annex' }, 'name', 'is the name of another place there'],
    [{ name: 'Toronto' }, 'name', 'is the name of another place there'],
    [{ position: 'over there' }, 'position', 'must be a latitude and a longitude'],
    [{ position: '30.27, -97.74' }, 'position', 'more than 161 km from every city of the province'],
    [{ state: 'TX' }, 'position', 'more than 161 km from every city'],
  ] as const) {
    const { status, text } = await operator.post(PATH, { ...annex, name: 'Maple Village', ...changes })
    expect([changes, status]).toEqual([changes, 400])
    expect(text).toContain(`href="#${field}"`)
    expect(text).toContain(message.slice(1))
  }
  expect(await app.sql`select from districts`).toHaveLength(1)
})

test('a postal code gives a position, a pro can be there, and such a place stays', async () => {
  expect((await operator.post(PATH, { name: 'Maple Village', state: 'ON', position: 'M4M 1A1' })).status).toBe(303)
  const id = await idOf('Maple Village')
  expect(await waitUntil(async () => (await placeOf('Maple Village, ON'))?.city?.id === id, 10_000)).toBe(true)
  const pro = {
    businessName: 'East Plumbing',
    email: 'east@example.com',
    place: 'Maple Village, ON',
    radius: '20',
    plan: 'none',
  }
  expect((await operator.post('/console/pros/new', pro)).status).toBe(303)
  expect(await app.sql`select from professionals where city_id = ${id}`).toHaveLength(1)
  expect((await operator.get(`${PATH}/${id}`)).text).toContain('It stays while 1 pro is there.')
  expect((await operator.post(`${PATH}/${id}/remove`)).status).toBe(303)
  expect((await operator.get(PATH)).text).toContain('Pros are in Maple Village. Give them another place first.')
  expect(await app.sql`select from cities where id = ${id}`).toHaveLength(1)
})

test('a place is renamed with its id, and one without pros is removed; no id is used again', async () => {
  const id = await idOf('The Annex')
  expect((await operator.post(`${PATH}/${id}`, { name: 'Maple Village' })).status).toBe(400)
  expect((await operator.post(`${PATH}/${id}`, { name: 'Annex North' })).status).toBe(303)
  expect(await waitUntil(async () => (await placeOf('Annex North, Toronto'))?.city?.id === id, 10_000)).toBe(true)
  expect(await placeOf('The Annex, ON')).toBeUndefined()
  expect((await operator.post(PATH, { ...annex, name: 'Last one' })).status).toBe(303)
  const last = await idOf('Last one')
  expect((await operator.post(`${PATH}/${last}/remove`)).status).toBe(303)
  expect(await waitUntil(async () => (await placeOf('Last one, ON')) === undefined, 10_000)).toBe(true)
  expect((await operator.post(PATH, { ...annex, name: 'After it' })).status).toBe(303)
  expect(await idOf('After it')).toBe(last + 1)
})

test('cities of the package and unknown ids have no such page', async () => {
  const [{ id } = { id: 0 }] = await app.sql<{ id: number }[]>`select id from cities where name = 'Toronto'`
  for (const one of [id, 2_000_000_000]) {
    expect((await operator.get(`${PATH}/${one}`)).status).toBe(404)
    expect((await operator.post(`${PATH}/${one}`, { name: 'Elsewhere' })).status).toBe(404)
    expect((await operator.post(`${PATH}/${one}/remove`)).status).toBe(404)
  }
  expect((await operator.get('/console/area/districts/annex')).status).toBe(404)
})

test('a position is read as maps write it', () => {
  for (const text of ['43.67, -79.404', '43.67 -79.404', ' 43.67,-79.404 ', '43.67°, -79.404°'])
    expect([text, positionIn(text)]).toEqual([text, { latitude: 43.67, longitude: -79.404 }])
  for (const text of ['', 'Toronto', '43.67', '143.67, -79.404', '43.67, -279.404', 'M5V 1A1', '78701'])
    expect([text, positionIn(text)]).toEqual([text, undefined])
})

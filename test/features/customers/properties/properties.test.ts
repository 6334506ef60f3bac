// The properties of a client account.
import { expect, test } from 'bun:test'

import type { Property } from '../../../../src/features/customers/properties/schemas.ts'
import { openTestApp } from '../../../support/app.ts'
import { opened } from '../../../support/fixture.ts'

const app = await opened(openTestApp())

const body = async <T>(response: Response | Promise<Response>) => (await (await response).json()) as T

const home = {
  name: 'Unit 4B',
  address: { street: '1 Main Street', city: 'Austin', state: 'texas', zipCode: '78701' },
  bedrooms: 2,
  bathrooms: 1.5,
  areaSquareFeet: 900,
  accessNotes: 'Ring twice.',
}

test('properties are created, changed, listed and deleted by their owner, and hidden from others', async () => {
  const [mine, theirs] = [
    await app.key(['mcp:read', 'mcp:write'], await app.client()),
    await app.key(['mcp:read', 'mcp:write'], await app.client()),
  ]
  const created = await body<Property>(app.send('/api/v1/properties', { key: mine, json: home }))
  expect(created).toMatchObject({ ...home, address: { ...home.address, state: 'TX' } })
  const path = `/api/v1/properties/${created.id}`
  const changed = await body<Property>(
    app.send(path, { method: 'PUT', key: mine, json: { ...home, name: 'Unit 5', bathrooms: null } }),
  )
  expect(changed).toMatchObject({ id: created.id, name: 'Unit 5', bathrooms: null })
  expect(await body<Property>(app.send(path, { key: mine }))).toEqual(changed)
  for (const init of [{}, { method: 'PUT', json: home }, { method: 'DELETE' }])
    expect((await app.send(path, { key: theirs, ...init })).status).toBe(404)
  expect(await body<object>(app.send('/api/v1/properties', { key: theirs }))).toMatchObject({ meta: { total: 0 } })
  expect(await body<object>(app.send('/api/v1/properties', { key: mine }))).toMatchObject({ properties: [changed] })
  expect((await app.send(path, { method: 'DELETE', key: mine })).status).toBe(204)
  expect((await app.send(path, { key: mine })).status).toBe(404)
  expect(
    (
      await app.send('/api/v1/properties', {
        key: mine,
        json: { ...home, address: { ...home.address, state: 'XX' } },
      })
    ).status,
  ).toBe(400)
})

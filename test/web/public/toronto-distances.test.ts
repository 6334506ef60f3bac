// Distances in a marketplace of Canada: kilometres for people, miles in the fields of the API.
import { describe, expect, test } from 'bun:test'

import { CUSTOMER_SERVER, callTool } from '../../support/agents.ts'
import { opened } from '../../support/fixture.ts'
import { testRedisUrl } from '../../support/stores.ts'
import { TORONTO_PHONE, openToronto } from '../../support/toronto.ts'
import { Visitor, loggedInVisitor } from '../../support/visitor.ts'

const toronto = await opened(openToronto())
const { app, pro } = toronto
const person = { name: 'Homeowner in Toronto', email: 'home@example.com' }
const json = async (path: string) => (await (await app.send(path)).json()) as Record<string, unknown>

describe('distances', () => {
  test('are kilometres on pages, and miles in the fields of the API', async () => {
    const visitor = new Visitor(app)
    const profile = (await visitor.get(`/pros/${pro.slug}`)).text
    expect(profile).toContain('Within 40 km of Toronto, ON')
    expect(profile).toContain('"addressCountry":"CA"')
    const results = (await visitor.get('/?service=plumber&place=M5V 1A1')).text
    expect(results).toContain('less than 0.1 km')
    expect(results).toContain('>40 km</option>')
    expect((await visitor.get('/?service=plumber&place=Vancouver, BC')).text).toContain('Search within 161 km')
    expect(await json(`/api/v1/pros/${pro.id}`)).toMatchObject({ serviceRadius: 25 })
    for (const text of [profile, results]) expect(text).not.toMatch(/\bmiles?\b/)
  })

  test('are on a map with the shore of the lake, and without the counties of a neighbour', async () => {
    for (const path of [`/pros/${pro.slug}`, '/?service=plumber&place=M5V 1A1']) {
      const { text } = await new Visitor(app).get(path)
      expect([path, text]).toEqual([path, expect.stringMatching(/<path class="state" d="M[^"]{20,}/)])
      expect([path, text]).toEqual([path, expect.not.stringContaining('<path class="county" d="M')])
    }
  })

  test('of an address too far away are kilometres in the error of a tool', async () => {
    const reply = await callTool(app, CUSTOMER_SERVER, await app.key(['mcp:read', 'mcp:write']), 'book_appointment', {
      professionalId: pro.id,
      serviceId: pro.serviceId,
      startDateTime: (await toronto.nextTime()).startsAt,
      guestName: person.name,
      guestEmail: person.email,
      guestPhone: TORONTO_PHONE,
      address: { street: '1 Elgin St', city: 'Ottawa', state: 'ON', zipCode: 'K1P 1J1' },
    })
    expect(reply.texts.join()).toContain('travels up to 40 km and does not come to Ottawa, ON K1P')
  })

  test('are typed in kilometres by pros and operators', async () => {
    const owner = await loggedInVisitor(app, 'pro', { pro: pro.id })
    const { text } = await owner.get('/console/profile')
    expect(text).toContain('How far you drive, km')
    expect(text).toMatch(/name="serviceRadiusMiles"[^>]*value="40"/)
    const fields = { businessName: 'Queen Street Plumbing', serviceRadiusMiles: '80' }
    expect((await owner.post('/console/profile', fields)).status).toBe(303)
    expect(await json(`/api/v1/pros/${pro.id}`)).toMatchObject({ serviceRadius: 50 })
    await owner.post('/console/profile', { ...fields, serviceRadiusMiles: '40' })
    expect(await json(`/api/v1/pros/${pro.id}`)).toMatchObject({ serviceRadius: 25 })
    const operator = await loggedInVisitor(app, 'operator')
    expect((await operator.get('/console/pros/new')).text).toMatch(/How far they come, km[^]*value="40"/)
  })

  test('of all that a pro may have stay when the form is saved unchanged, and more are refused in kilometres', async () => {
    const owner = await loggedInVisitor(app, 'pro', { pro: pro.id })
    const save = (km: string) =>
      owner.post('/console/profile', { businessName: 'Queen Street Plumbing', serviceRadiusMiles: km })
    for (const miles of [1, 19, 311, 500]) {
      await app.sql`update professionals set service_radius_miles = ${miles} where id = ${pro.id}`
      const { text } = await owner.get('/console/profile')
      const [, shown = ''] = /name="serviceRadiusMiles"[^>]*value="(\d+)"/.exec(text) ?? []
      expect((await save(shown)).status).toBe(303)
      expect(await json(`/api/v1/pros/${pro.id}`)).toMatchObject({ serviceRadius: miles })
    }
    expect(await save('806')).toMatchObject({
      status: 400,
      text: expect.stringContaining('Must be a whole number from 1 to 805.') as string,
    })
    await save('40')
    expect(await json(`/api/v1/pros/${pro.id}`)).toMatchObject({ serviceRadius: 25 })
  })
})

test('a command takes them in kilometres, and refuses others in kilometres', async () => {
  const create = async (...words: string[]) => {
    const child = Bun.spawn([process.execPath, 'src/cli.ts', 'pros', 'create', ...words], {
      env: { ...process.env, DATABASE_URL: app.databaseUrl, REDIS_URL: testRedisUrl },
      stdout: 'pipe',
      stderr: 'pipe',
    })
    return (await Promise.all([child.stdout.text(), child.stderr.text()])).join('')
  }
  const named = (name: string) => [name, '--email', `${name}@pros.example`, '--place', 'M5V 1A1', '--json']
  for (const [name, words, radius] of [
    ['maple', [], 25],
    ['birch', ['--radius', '80'], 50],
  ] as const) {
    const { slug } = JSON.parse(await create(...named(name), ...words)) as { slug: string }
    expect(await json(`/api/v1/pros/${slug}`)).toMatchObject({ serviceRadius: radius })
  }
  for (const radius of ['0', '806', 'far'])
    expect(await create(...named('cedar'), '--radius', radius)).toContain('a whole number of km from 1 to 805')
}, 30_000)

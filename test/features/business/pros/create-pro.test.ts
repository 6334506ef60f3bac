// The first real pro: created by a command in an empty marketplace, found once something is offered, and booked.
import { expect, test } from 'bun:test'

import { createUser } from '../../../../src/auth/users/verbs/users.ts'
import { addOffer } from '../../../../src/features/business/offers/verbs.ts'
import { createPro } from '../../../../src/features/business/pros/verbs.ts'
import type { NewPro } from '../../../../src/features/business/pros/schemas.ts'
import { ctxOf } from '../../../../src/ctx.ts'
import { seed } from '../../../../src/local/seed/seed.ts'
import { openTestApp } from '../../../support/app.ts'
import { testRedisUrl } from '../../../support/stores.ts'
import { SEEDED_AT, testSql } from '../../../support/database.ts'
import { opened } from '../../../support/fixture.ts'
import { Visitor, loggedInVisitor } from '../../../support/visitor.ts'

const app = await opened(openTestApp('migrated'))
const sql = await opened(testSql(app.databaseUrl, 2), 'end')
await seed(sql, { pros: 0, seed: 1, now: new Date(SEEDED_AT) })

const OAK: NewPro = {
  businessName: 'Oak Plumbing',
  email: 'oak@pros.example',
  place: 'Columbus, OH',
  radius: 25,
  plan: 'none',
}
const create = async (changes: Partial<NewPro>) => {
  const input = { ...OAK, email: `${crypto.randomUUID()}@pros.example`, ...changes }
  return (await createPro(ctxOf(app.deps), { ...input, by: null, createLogin: () => Promise.resolve() })).pro
}
const errorsOf = (changes: Partial<NewPro>) =>
  create(changes).then(
    () => [],
    ({ errors = [] }: { errors?: { path: string }[] }) => errors.map(({ path }) => path),
  )
const listed = async (query: string) =>
  ((await (await app.send(`/api/v1/pros?${query}`)).json()) as { professionals: { slug: string }[] }).professionals.map(
    ({ slug }) => slug,
  )

/** Runs `hearth pros create`. */
async function run(...words: string[]) {
  const child = Bun.spawn([process.execPath, 'src/cli.ts', 'pros', 'create', ...words], {
    env: { ...process.env, DATABASE_URL: app.databaseUrl, REDIS_URL: testRedisUrl },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [said, complained] = await Promise.all([child.stdout.text(), child.stderr.text()])
  return { code: await child.exited, said, complained }
}

test('while there are no pros, the list for operators says what an empty list means', async () => {
  const operator = await loggedInVisitor(app, 'operator')
  const titleOf = async (show: string) => {
    const { text } = await operator.get(`/console/verification?show=${show}`)
    return [
      'No pros yet',
      'No pro waits for an answer',
      'No pro without verification',
      'No pro is verified yet',
    ].filter((title) => text.includes(title))
  }
  expect(await titleOf('all')).toEqual(['No pros yet'])
  expect(await titleOf('asked')).toEqual(['No pro waits for an answer'])
  expect(await titleOf('unverified')).toEqual(['No pro without verification'])
  expect(await titleOf('verified')).toEqual(['No pro is verified yet'])
})

test('the command creates a pro who sets services and hours, is found, and is booked', async () => {
  const { code, said, complained } = await run(
    'Oak Plumbing',
    '--email',
    'Oak@Pros.example',
    '--place',
    '43215',
    '--json',
  )
  expect([code, complained]).toEqual([0, ''])
  const made = JSON.parse(said) as { id: string; slug: string; city: string; timeZone: string; password: string }
  expect(made).toMatchObject({ slug: 'oak-plumbing-columbus-oh', city: 'Columbus, OH', timeZone: 'America/New_York' })
  const owner = new Visitor(app)
  expect(await owner.logIn('oak@pros.example', made.password)).toMatchObject({ status: 303, location: '/console' })
  expect((await owner.get('/console')).status).toBe(200)
  expect((await new Visitor(app).get(`/pros/${made.slug}`)).status).toBe(200)
  expect(await listed('service=plumber&place=Columbus, OH')).toEqual([])

  const key = await app.key(['pro:read', 'pro:write'], 'oak@pros.example')
  const { services } = (await (await app.send('/api/v1/services')).json()) as {
    services: { id: string; slug: string }[]
  }
  const serviceId = services.find(({ slug }) => slug === 'plumber')?.id ?? ''
  const offer = { serviceId, basePrice: 120, instantBookEnabled: true, durationMinutes: 60 }
  await addOffer(ctxOf(app.deps, { professionalId: made.id }), offer)
  const settings = await app.send('/api/v1/pro/availability', {
    method: 'PATCH',
    key,
    json: { instantBookingEnabled: true },
  })
  expect(settings.status).toBe(200)
  expect(await listed('service=plumber&place=Columbus, OH')).toEqual([made.slug])

  const times = (await (await app.send(`/api/v1/pros/${made.id}/availability?serviceId=${serviceId}`)).json()) as {
    nextAvailable: { date: string; time: string }
  }
  const booking = await app.send('/api/v1/bookings', {
    method: 'POST',
    key: await app.key(['bookings:write']),
    json: {
      professionalId: made.id,
      serviceId,
      date: times.nextAvailable.date,
      time: times.nextAvailable.time,
      duration: 60,
      customer: { name: 'Home', email: 'home@example.com' },
    },
  })
  expect(booking.status).toBe(201)
})

test('pros of one name in one city have pages of their own, and a name of no letters has one', async () => {
  const slugs: string[] = []
  for (let n = 0; n < 3; n++) slugs.push((await create({ businessName: 'Élan & Fils' })).slug)
  const [first = ''] = slugs
  expect(slugs).toEqual([first, `${first}-2`, `${first}-3`])
  expect(first).toMatch(/^elan-[a-z-]*fils-columbus-oh$/)
  expect((await create({ businessName: '株式会社' })).slug).toMatch(/columbus-oh$/)
  expect((await create({ businessName: 'x'.repeat(200) })).slug.length).toBeLessThanOrEqual(200)
})

test('pros of one name that are created at once have pages of their own, too', async () => {
  const made = await Promise.all(Array.from({ length: 8 }, () => create({ businessName: 'Ash Roofing' })))
  expect(new Set(made.map(({ slug }) => slug)).size).toBe(8)
})

test('the command leaves no pro behind when the owner’s address has another login', async () => {
  await createUser(ctxOf(app.deps), { email: 'taken@pros.example', role: 'operator' })
  const { code, complained } = await run('Taken Plumbing', '--email', 'taken@pros.example', '--place', 'Columbus, OH')
  expect([code, complained]).toEqual([1, expect.stringContaining('A user with this e-mail address exists already')])
  expect(await sql`select from professionals where business_name = 'Taken Plumbing'`).toHaveLength(0)
  expect(await sql`select from accounts where email = 'taken@pros.example' and kind = 'pro'`).toHaveLength(0)
})

test('two at once for one address make one pro', async () => {
  const email = 'twice@pros.example'
  const outcomes = await Promise.allSettled([create({ email }), create({ email }), create({ email })])
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  const rows = await sql`select from professionals p join accounts a on a.id = p.account_id where a.email = ${email}`
  expect(rows).toHaveLength(1)
})

test('every wrong field is named in one turn, and nothing is created', async () => {
  const before = await sql`select from accounts`
  expect(await errorsOf({ businessName: ' ', email: 'no address', place: 'Nowhere at all', radius: 0.5 })).toEqual([
    'businessName',
    'email',
    'place',
    'radius',
  ])
  for (const place of ['Ohio', '0, 0']) expect([place, await errorsOf({ place })]).toEqual([place, ['place']])
  expect(await errorsOf({ radius: Number.NaN })).toEqual(['radius'])
  await app.key(undefined, 'developer@keys.example')
  expect(await errorsOf({ email: 'developer@keys.example' })).toEqual(['email'])
  expect((await sql`select from accounts`).length).toBe(before.length + 1)
})

test('the audit log has each pro that was created', async () => {
  const { id } = await create({ plan: 'business', radius: 40 })
  expect(await sql`select action, details from operator_actions where subject_id = ${id}`).toMatchObject([
    { action: 'pro.created', details: { plan: 'business', radius: 40 } },
  ])
  const operator = await loggedInVisitor(app, 'operator')
  expect((await operator.get(`/console/verification/${id}`)).text).toMatch(/>Created<.*>Command line</s)
})

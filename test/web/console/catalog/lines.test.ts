// Services come as lines: a preview says what would change, each wrong line is named, and all are added or none.
import { expect, test } from 'bun:test'

import { ctxOf } from '../../../../src/ctx.ts'
import { readLines } from '../../../../src/features/catalog/entries/rules/lines.ts'
import { addCategory } from '../../../../src/features/catalog/entries/verbs/entries.ts'
import { openTestApp } from '../../../support/app.ts'
import { opened } from '../../../support/fixture.ts'
import { loggedInVisitor } from '../../../support/visitor.ts'

const PATH = '/console/catalog/lines'
const app = await opened(openTestApp('migrated'))
const operator = await loggedInVisitor(app, 'operator')
const stored = () => app.sql`select to_jsonb(s) as row from services s order by id`
const seenIn = (text: string) => /name="seen" value="([^"]+)"/.exec(text)?.[1] ?? ''
const add = (name: string, slug: string) =>
  addCategory(ctxOf(app.deps), { by: null, name, slug, synonyms: [], active: true })

const LINES = [
  'Name | price | minutes | other names',
  '',
  '# for the summer',
  'Dog walking | hourly | 45 | dog walker, dog sitter',
  'Turf laying | per square foot | 240',
  'Cat visit',
  'Pond care\tflat\t90 min\tkoi pond; pond cleaning',
].join('\n')

test('a marketplace without a category is led to one first', async () => {
  const { text } = await operator.get(PATH)
  expect(text).toContain('The catalog has no category yet')
  expect(text).toContain('href="/console/catalog/categories/new"')
})

test('lines are shown before they are added, and a second paste changes nothing', async () => {
  const categoryId = await add('Pets and gardens', 'pets-gardens')
  await add('Second', 'second')
  expect((await operator.get(`/console/catalog/categories/${categoryId}`)).text).toContain(
    `href="${PATH}?categoryId=${categoryId}"`,
  )
  expect((await operator.get(`${PATH}?categoryId=${categoryId}`)).text).toContain(`value="${categoryId}" selected`)
  const shown = await operator.post(PATH, { categoryId, lines: LINES })
  expect(shown.status).toBe(200)
  for (const word of ['dog walker, dog sitter', 'square foot', 'Cat visit', 'Add and change these'])
    expect(shown.text).toContain(word)
  expect(await stored()).toHaveLength(0)
  const seen = seenIn(shown.text)
  const done = await operator.post(PATH, { categoryId, lines: LINES, seen })
  expect([done.status, done.location]).toEqual([303, `/console/catalog/categories/${categoryId}`])
  expect((await operator.get(done.location ?? '')).text).toContain('4 services added, 0 changed.')
  const rows = await app.sql`
    select name, slug, price_type, unit, duration_minutes, synonyms from services order by position nulls last, ordinal`
  expect([...rows]).toEqual([
    row('Dog walking', 'dog-walking', 'hourly', 'hour', 45, ['dog walker', 'dog sitter']),
    row('Turf laying', 'turf-laying', 'per_unit', 'square foot', 240, []),
    row('Cat visit', 'cat-visit', 'flat', null, 60, []),
    row('Pond care', 'pond-care', 'flat', null, 90, ['koi pond', 'pond cleaning']),
  ])
  const before = await stored()
  const again = await operator.post(PATH, { categoryId, lines: LINES, seen })
  expect([again.status, again.text]).toEqual([200, expect.stringContaining('Nothing would change')])
  expect(await stored()).toEqual(before)
})

const row = (
  name: string,
  slug: string,
  priceType: string,
  unit: string | null,
  durationMinutes: number,
  synonyms: string[],
) => ({ name, slug, priceType, unit, durationMinutes, synonyms })
const idOfCategory = async (slug: string) => {
  const [found] = await app.sql<{ id: string }[]>`select id from categories where slug = ${slug}`
  return found?.id ?? ''
}

test('what was shown is done, not what was typed or changed after it', async () => {
  const categoryId = await idOfCategory('pets-gardens')
  const shown = await operator.post(PATH, { categoryId, lines: 'Goat yoga | flat | 60' })
  const seen = seenIn(shown.text)
  const other = await operator.post(PATH, { categoryId, lines: 'Goat yoga | flat | 90', seen })
  expect([other.status, other.text]).toEqual([200, expect.stringContaining('What would change')])
  expect(await app.sql`select from services where slug = 'goat-yoga'`).toHaveLength(0)
  const changed = await operator.post(PATH, { categoryId, lines: 'cat visit | | 30' })
  expect(changed.text).toContain('Usual length, minutes: 60 → 30')
  expect(
    (await operator.post(PATH, { categoryId, lines: 'cat visit | | 30', seen: seenIn(changed.text) })).status,
  ).toBe(303)
  const [cat] = await app.sql`select name, duration_minutes from services where slug = 'cat-visit'`
  expect(cat).toEqual({ name: 'Cat visit', durationMinutes: 30 })
})

test('each wrong line is named with what is wrong, what was typed stays, and nothing is added', async () => {
  const before = await stored()
  const lines = [
    '',
    'Fine service | flat | 60',
    '| flat | 60',
    'Yoga | free',
    'Yoga two | flat | an hour',
    'Yoga three | flat | 17',
    'Yoga four | flat | 60 | one | two',
    'Fine Services',
    'Api | flat',
    'Dog walking',
  ].join('\r\n')
  const { status, text } = await operator.post(PATH, { categoryId: await idOfCategory('second'), lines })
  expect(status).toBe(400)
  for (const message of [
    'Line 3 needs a name in its first column.',
    'Line 4 has the price “free”: write flat, hourly, or per and a unit',
    'Line 5 has the length “an hour”',
    'Line 7 has 5 columns instead of 4',
    'Line 8 “Fine Services” is in line 2 already.',
    'Line 10 “Dog walking” is a service of Pets and gardens already.',
  ])
    expect(text).toContain(message)
  expect(text).toContain('Yoga four | flat | 60 | one | two')
  const steps = await operator.post(PATH, {
    categoryId: await idOfCategory('second'),
    lines: '\n\nFine service\nYoga three | flat | 17\nApi | flat',
  })
  expect(steps.text).toContain('Line 4 the length must be 15 to 720, in steps of 5.')
  expect(steps.text).toContain('Line 5 its address, which follows from the name, is the address of other pages.')
  expect(await stored()).toEqual(before)
})

test('a retired service is not offered again by a line', async () => {
  await app.sql`update services set active = false where slug = 'pond-care'`
  const { text } = await operator.post(PATH, { categoryId: await idOfCategory('pets-gardens'), lines: 'Pond care' })
  expect(text).toContain('Line 1 “Pond care” is a retired service')
})

test('a text has at most 200 services', () => {
  const text = (lines: number) => Array.from({ length: lines }, (_, at) => `Service ${at} x`).join('\n')
  expect(readLines(text(200)).faults).toEqual([])
  expect(readLines(text(201)).faults).toEqual([{ line: 201, message: expect.stringContaining('at most 200') }])
})

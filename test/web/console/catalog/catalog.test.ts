// Operators edit the catalog by forms, and visitors' pages follow.
import { expect, test } from 'bun:test'

import { waitUntil } from '../../../../src/platform/clock/deadlines.ts'
import { openTestApp } from '../../../support/app.ts'
import { opened } from '../../../support/fixture.ts'
import { Visitor, loggedInVisitor } from '../../../support/visitor.ts'

const PATH = '/console/catalog'
const app = await opened(openTestApp())
const operator = await loggedInVisitor(app, 'operator')
const visitor = new Visitor(app)

const walking = (changes: Record<string, string> = {}) => ({
  name: 'Dog walking',
  slug: '',
  synonyms: 'dog walker\ndog sitter',
  categoryId: '',
  description: '',
  priceType: 'hourly',
  unit: '',
  durationMinutes: '60',
  atCustomer: 'on',
  ...changes,
})
const idIn = (location: string | null) => /[\w-]{36}$/.exec(location ?? '')?.[0] ?? ''
/** What a form shows of its fields: the values of inputs, and the chosen ones of lists. */
const seenIn = (text: string) => /name="seen" value="([^"]+)"/.exec(text)?.[1] ?? ''
const idOf = async (slug: string) => {
  const [row] = await app.sql<{ id: string }[]>`select id from services where slug = ${slug}`
  return row?.id ?? ''
}

test('the list has every category with its services, prices and pros, and leads to each', async () => {
  expect((await operator.get('/console')).text).toContain(`href="${PATH}"`)
  const { text } = await operator.get(PATH)
  const services = await app.sql<{ id: string; name: string }[]>`select id, name from services`
  for (const { id } of services) expect(text).toContain(`href="${PATH}/services/${id}"`)
  const [counted] = await app.sql<{ pros: number }[]>`
    select sum(pros)::integer as pros from pro_search_area a join services s on s.ordinal = a.facet
    where s.slug = 'plumber' and a.area = 0`
  expect(counted?.pros).toBeGreaterThan(0)
  expect(text).toMatch(new RegExp(`>Plumber</a>.*?Per hour.*?>90<.*?>${counted?.pros}<`, 's'))
})

test('a category and a service are added, and the first page shows them', async () => {
  const category = await operator.post(`${PATH}/categories/new`, { name: 'Pet care', slug: '', synonyms: '' })
  expect([category.status, category.location]).toEqual([303, expect.stringContaining(`${PATH}/categories/`)])
  const categoryId = idIn(category.location)
  const page = await operator.get(category.location ?? '')
  expect(page.text).toContain('Pet care is added.')
  expect(page.text).toContain(`href="${PATH}/services/new?categoryId=${categoryId}"`)
  const form = await operator.get(`${PATH}/services/new?categoryId=${categoryId}`)
  expect(form.text).toMatch(new RegExp(`value="${categoryId}" selected`))
  const service = await operator.post(`${PATH}/services/new`, walking({ categoryId }))
  expect([service.status, service.location]).toEqual([303, expect.stringContaining(`${PATH}/services/`)])
  expect((await operator.get(service.location ?? '')).text).toContain('Dog walking is added.')
  expect(await waitUntil(async () => (await visitor.get('/')).text.includes('Dog walking'), 10_000)).toBe(true)
})

test('every wrong field is named, and what was typed is kept', async () => {
  const categoryId = await app.sql<{ id: string }[]>`select id from categories where slug = 'plumbing'`
  const wrong = walking({
    name: 'Cat walking',
    slug: 'Cat Walking',
    categoryId: categoryId[0]?.id ?? '',
    priceType: 'per_unit',
  })
  const { status, text } = await operator.post(`${PATH}/services/new`, wrong)
  expect(status).toBe(400)
  for (const field of ['slug', 'unit']) expect(text).toContain(`href="#${field}"`)
  expect(text).toContain('value="Cat walking"')
  const minutes = await operator.post(`${PATH}/services/new`, { ...wrong, durationMinutes: 'an hour' })
  expect([minutes.status, minutes.text]).toEqual([400, expect.stringContaining('href="#durationMinutes"')])
})

test('a renamed service has new addresses, and its former ones redirect', async () => {
  const path = `${PATH}/services/${await idOf('plumber')}`
  const { text } = await operator.get(path)
  const saved = await operator.post(path, {
    ...(await fieldsOf('plumber')),
    name: 'Pipe fitter',
    slug: 'pipe-fitter',
    place: 'first',
    status: 'offered',
    seen: seenIn(text),
  })
  expect([saved.status, saved.location]).toEqual([303, path])
  const page = await operator.get(path)
  expect(page.text).toContain('Saved.')
  expect(page.text).toContain('Also found by its former addresses: plumber.')
  expect(page.text).toContain('Name: Plumber → Pipe fitter')
  const moved = async () => (await visitor.get('/plumbers/austin-tx')).location === '/pipe-fitters/austin-tx'
  expect(await waitUntil(moved, 10_000)).toBe(true)
  expect((await visitor.get('/plumbers/austin-tx')).status).toBe(308)
  expect((await visitor.get('/?service=plumber&place=Austin, TX')).text).toContain('ipe fitters')
})

test('a form that shows what another operator has changed since is refused', async () => {
  const path = `${PATH}/services/${await idOf('drain-cleaning')}`
  const shown = seenIn((await operator.get(path)).text)
  const fields = { ...(await fieldsOf('drain-cleaning')), place: 'first', status: 'offered', seen: shown }
  expect((await operator.post(path, { ...fields, durationMinutes: '120' })).status).toBe(303)
  const late = await operator.post(path, { ...fields, durationMinutes: '30' })
  expect([late.status, late.text]).toEqual([409, expect.stringContaining('Another operator changed this')])
  const [row] = await app.sql`select duration_minutes from services where slug = 'drain-cleaning'`
  expect(row).toEqual({ durationMinutes: 120 })
})

test('the questions of a service are written one per line, and the history has them', async () => {
  const path = `${PATH}/services/${await idOf('drain-cleaning')}`
  const fields = { ...(await fieldsOf('drain-cleaning')), place: 'first', status: 'offered' }
  const lines = 'How many drains? *\n\nIs water standing now?|Yes|  No\nSince when? | Today | Longer *'
  expect((await operator.post(path, { ...fields, questions: lines })).status).toBe(303)
  const { text } = await operator.get(path)
  const shown = 'How many drains? *\nIs water standing now? | Yes | No\nSince when? * | Today | Longer'
  expect(text).toContain(`\n${shown}</textarea>`)
  expect(text).toContain(`Questions: none → ${shown.replaceAll('\n', ', ')}`)
  const again = await operator.post(path, { ...fields, questions: shown, seen: seenIn(text) })
  expect((await operator.get(again.location ?? '')).text).toContain('Nothing was changed')
  const wrong = await operator.post(path, { ...fields, questions: 'Is it old? | Yes' })
  expect([wrong.status, wrong.text]).toEqual([400, expect.stringContaining('href="#questions"')])
  expect(wrong.text).toContain('Is it old? | Yes</textarea>')
})

test('a retired service is marked, and a category keeps its services', async () => {
  const id = await idOf('drain-cleaning')
  const path = `${PATH}/services/${id}`
  const fields = { ...(await fieldsOf('drain-cleaning')), place: 'first', status: 'retired', seen: '' }
  expect((await operator.post(path, fields)).status).toBe(303)
  expect((await operator.get(PATH)).text).toMatch(/>Drain Cleaning<\/a>[^/]*Retired/)
  const [category] = await app.sql<{ id: string }[]>`select id from categories where slug = 'plumbing'`
  const refused = await operator.post(`${PATH}/categories/${category?.id}`, {
    name: 'Plumbing',
    slug: 'plumbing',
    synonyms: '',
    place: 'first',
    status: 'retired',
  })
  expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('Retire or move them first')])
})

test('an unknown category or service has no page', async () => {
  for (const kind of ['categories', 'services'])
    expect((await operator.get(`${PATH}/${kind}/${crypto.randomUUID()}`)).status).toBe(404)
})

/** The fields of a service's form as they are stored. */
async function fieldsOf(slug: string) {
  const [row] = await app.sql<Record<string, string | null>[]>`
    select name, slug, array_to_string(synonyms, E'\n') as synonyms, category_id, description, price_type, unit,
      duration_minutes::text as duration_minutes, 'on' as at_customer
    from services where slug = ${slug}`
  return Object.fromEntries(Object.entries(row ?? {}).map(([name, value]) => [name, value ?? '']))
}

test('a service is merged on a page of its own, which leads to the other one and says what it is part of', async () => {
  const [old, target] = [await idOf('toilet-repair'), await idOf('faucet-installation')]
  const path = `${PATH}/services/${old}`
  expect((await operator.get(path)).text).toContain(`href="${path}/merge"`)
  const page = await operator.get(`${path}/merge`)
  expect([page.status, page.text]).toEqual([200, expect.stringContaining(`value="${target}"`)])
  expect(page.text).not.toContain(`<option value="${old}"`)
  const itself = await operator.post(`${path}/merge`, { into: old })
  expect([itself.status, itself.text]).toEqual([400, expect.stringContaining('href="#into"')])
  const merged = await operator.post(`${path}/merge`, { into: target })
  expect([merged.status, merged.location]).toEqual([303, `${PATH}/services/${target}`])
  const flash = await operator.get(merged.location ?? '')
  expect(flash.text).toMatch(/Merged\. Pages and searches show it now|the merge goes on by itself/)
  const after = await operator.get(path)
  expect(after.text).toContain(`Part of <a href="${PATH}/services/${target}"`)
  expect(after.text).not.toContain(`href="${path}/merge"`)
})

test('a category is merged by its page', async () => {
  const [{ old, target } = { old: '', target: '' }] = await app.sql<{ old: string; target: string }[]>`
    select a.id as old, b.id as target from categories a, categories b where a.slug = 'pet-care' and b.slug = 'handyman'`
  const path = `${PATH}/categories/${old}`
  expect((await operator.get(`${path}/merge`)).text).toContain('The other category gets all services of this one.')
  const merged = await operator.post(`${path}/merge`, { into: target })
  expect([merged.status, merged.location]).toEqual([303, `${PATH}/categories/${target}`])
  expect((await operator.get(path)).text).toContain(`Part of <a href="${PATH}/categories/${target}"`)
})

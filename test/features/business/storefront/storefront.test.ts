// A pro's texts, business and site: the pro changes them, and visitors see the change at once.
import { describe, expect, test } from 'bun:test'

import { openTestApp } from '../../../support/app.ts'
import { quotingPro } from '../../../support/quotes.ts'
import { opened } from '../../../support/fixture.ts'

const app = await opened(openTestApp())
const pro = await quotingPro(app)

const patch = (what: string, json: object) => app.send(`/api/v1/pro/${what}`, { method: 'PATCH', key: pro.key, json })
const read = async (what: string) => (await (await app.send(`/api/v1/pro/${what}`, { key: pro.key })).json()) as object
const publicProfile = async () =>
  (await (await app.send(`/api/v1/profile/public/${pro.slug}`)).json()) as Record<string, unknown>

const NO_TEXTS = { headline: null, about: null, highlights: [], serviceAreas: null, languages: [], faq: [] }
const NO_BUSINESS = {
  legalName: null,
  licenseNumber: null,
  licenseState: null,
  foundedYear: null,
  insuranceCarrier: null,
}
const SECTIONS = ['about', 'highlights', 'services', 'packages', 'reviews', 'service_areas', 'faq', 'contact']
const DEFAULT_SITE = {
  themeColor: null,
  heroTitle: null,
  heroText: null,
  callToAction: null,
  callToActionLabel: null,
  sections: SECTIONS,
}

test('is empty until the pro changes it', async () => {
  expect(await read('public-profile')).toEqual(NO_TEXTS)
  expect(await read('business-entity')).toMatchObject(NO_BUSINESS)
  expect(await read('site-config')).toEqual(DEFAULT_SITE)
  expect(await publicProfile()).toMatchObject({ ...NO_TEXTS, business: NO_BUSINESS, site: DEFAULT_SITE })
})

describe('visitors see a change of', () => {
  test('the texts', async () => {
    const texts = {
      headline: 'Drains, day and night',
      about: 'A family business.\nSince 1999.',
      highlights: ['On time', 'No "call-out" fee, ever'],
      serviceAreas: 'All of Travis County',
      languages: ['English', 'Spanish'],
      faq: [{ question: 'Do you work on Sundays?', answer: 'Yes.' }],
    }
    expect(await (await patch('public-profile', texts)).json()).toEqual(texts)
    expect(await publicProfile()).toMatchObject(texts)
    await patch('public-profile', { about: null, highlights: [] })
    expect(await read('public-profile')).toEqual({ ...texts, about: null, highlights: [] })
  })

  test('the business, whose phone and website are the pro’s contact', async () => {
    const business = {
      legalName: 'Drains & Sons LLC',
      licenseNumber: 'M-1234',
      licenseState: 'TX',
      foundedYear: 1999,
      insuranceCarrier: 'Example Mutual',
    }
    const contact = { phone: '555-0100', website: 'https://drains.test.example/' }
    expect(await (await patch('business-entity', { ...business, ...contact })).json()).toEqual({
      ...business,
      ...contact,
    })
    expect(await publicProfile()).toMatchObject({ business, contact })
    const profile = await app.send('/api/v1/pro/profile', { key: pro.key })
    expect(await profile.json()).toMatchObject({ contact })
  })

  test('the site', async () => {
    const site = { ...DEFAULT_SITE, themeColor: '#0b6e4f', callToAction: 'quote', sections: ['reviews', 'about'] }
    expect(await (await patch('site-config', site)).json()).toEqual(site)
    expect(await publicProfile()).toMatchObject({ site })
  })
})

test.each([
  ['public-profile', { headline: '' }],
  ['public-profile', { faq: [{ question: 'Why?' }] }],
  ['public-profile', { highlights: Array.from({ length: 11 }, () => 'Fast') }],
  ['public-profile', { verified: true }],
  ['business-entity', { licenseNumber: null }],
  ['business-entity', { licenseState: 'ZZ' }],
  ['business-entity', { website: 'javascript:alert(1)' }],
  ['business-entity', { plan: 'business' }],
  ['site-config', { themeColor: 'red;background:url(x)' }],
  ['site-config', { sections: [] }],
  ['site-config', { sections: ['about', 'about'] }],
])('%s rejects %j and stays unchanged', async (what, change) => {
  const before = await read(what)
  const response = await patch(what, change)
  expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([400, 'validation_failed'])
  expect(await read(what)).toEqual(before)
})

test('concurrent changes of different fields are all kept', async () => {
  const changes = [{ headline: 'One' }, { about: 'Two' }, { serviceAreas: 'Three' }, { highlights: ['Four'] }]
  await Promise.all(changes.map((change) => patch('public-profile', change)))
  expect(await read('public-profile')).toMatchObject(Object.assign({}, ...changes) as object)
})

// What a pro fills in. All that visitors read of a business is changed by the pro in the console, or the list below says where it comes from.
import { expect, test } from 'bun:test'

import { PublicProfile } from '../../../src/features/search/pros/schemas.ts'
import { BusinessFacts, SiteConfig } from '../../../src/features/business/storefront/schemas.ts'
import { openTestApp } from '../../support/app.ts'
import { opened } from '../../support/fixture.ts'
import { quotingPro } from '../../support/quotes.ts'
import { loggedInVisitor } from '../../support/visitor.ts'

type Fields = Readonly<Record<string, string | string[]>>

/** The forms of the profile, with what a pro enters. */
const FORMS: Readonly<Record<string, Fields>> = {
  '': {
    businessName: 'Clear Drains',
    description: 'We clear drains.',
    serviceRadiusMiles: '33',
    yearsOfExperience: '12',
    acceptsEmergency: 'on',
  },
  '/business': {
    phone: '(512) 555-0142',
    website: 'https://drains.test.example',
    foundedYear: '1999',
    legalName: 'Clear Drains LLC',
    licenseNumber: 'TX-100',
    licenseState: 'TX',
    insuranceCarrier: 'Mutual of Texas',
  },
  '/texts': {
    headline: 'Drains in an hour',
    about: 'Two brothers.',
    serviceAreas: 'North of the river.',
    highlights: 'Fast\nTidy',
    languages: 'English\nSpanish',
    question: ['Do you work on Sundays?', ''],
    answer: ['Yes.', ''],
  },
  '/site': {
    heroTitle: 'Drains',
    heroText: 'Cleared today.',
    callToAction: 'quote',
    callToActionLabel: 'Ask us',
    themeColor: '#0b6e4f',
    sections: ['contact', 'faq'],
  },
}

/** What the page shows after the forms are sent. */
const SHOWN: Readonly<Record<string, unknown>> = {
  businessName: 'Clear Drains',
  description: 'We clear drains.',
  serviceRadius: 33,
  yearsOfExperience: 12,
  acceptsEmergency: true,
  'contact.phone': '(512) 555-0142',
  'contact.website': 'https://drains.test.example',
  'business.foundedYear': 1999,
  'business.legalName': 'Clear Drains LLC',
  'business.licenseNumber': 'TX-100',
  'business.licenseState': 'TX',
  'business.insuranceCarrier': 'Mutual of Texas',
  headline: 'Drains in an hour',
  about: 'Two brothers.',
  serviceAreas: 'North of the river.',
  highlights: ['Fast', 'Tidy'],
  languages: ['English', 'Spanish'],
  faq: [{ question: 'Do you work on Sundays?', answer: 'Yes.' }],
  'site.heroTitle': 'Drains',
  'site.heroText': 'Cleared today.',
  'site.callToAction': 'quote',
  'site.callToActionLabel': 'Ask us',
  'site.themeColor': '#0b6e4f',
  'site.sections': ['faq', 'contact'],
}

const [SERVICES, SETTINGS, OPERATORS, COUNTED] = [
  '/console/services',
  '/console/settings',
  'Hearth records it',
  'follows from other rows',
]
/** What other pages change, and what a pro does not set. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  services: SERVICES,
  categories: SERVICES,
  booking: SETTINGS,
  businessHours: SETTINGS,
  id: OPERATORS,
  slug: OPERATORS,
  location: OPERATORS,
  timezone: OPERATORS,
  memberSince: OPERATORS,
  verified: '/console/my-verification',
  verificationDetails: '/console/my-verification',
  'business.licenseChecked': '/console/my-verification',
  'business.insuranceChecked': '/console/my-verification',
  reviews: COUNTED,
  counts: COUNTED,
  ratingDistribution: COUNTED,
  recentReviews: COUNTED,
  profileUrl: COUNTED,
  bookingUrl: COUNTED,
}

const app = await opened(openTestApp())

/** The fields of the public profile, those of `contact`, `business` and `site` one by one. */
const NESTED = { contact: PublicProfile.properties.contact, business: BusinessFacts, site: SiteConfig }
const fields = Object.keys(PublicProfile.properties).flatMap((name) => {
  const nested = Object.entries(NESTED).find(([key]) => key === name)?.[1]
  return nested ? Object.keys(nested.properties).map((key) => `${name}.${key}`) : [name]
})

test('every field of the public page is changed in the console, or listed with where it comes from', async () => {
  expect([...Object.keys(SHOWN), ...Object.keys(ELSEWHERE)].toSorted()).toEqual(fields.toSorted())
  const pro = await quotingPro(app)
  const visitor = await loggedInVisitor(app, 'pro', { pro: pro.professionalId })
  const path = '/console/profile'
  const page = (await visitor.get(path)).text
  for (const [form, entered] of Object.entries(FORMS)) {
    expect([form, Object.keys(entered).filter((name) => !page.includes(`name="${name}"`))]).toEqual([form, []])
    expect([form, (await visitor.post(path + form, entered)).status]).toEqual([form, 303])
  }
  const shown = (await (await app.send(`/api/v1/profile/public/${pro.slug}`)).json()) as Record<string, unknown>
  for (const [field, value] of Object.entries(SHOWN)) {
    const [outer = '', inner] = field.split('.')
    const found = inner === undefined ? shown[outer] : (shown[outer] as Record<string, unknown>)[inner]
    expect([field, found]).toEqual([field, value])
  }
  for (const link of Object.values(ELSEWHERE).filter((place) => place.startsWith('/')))
    expect(page).toContain(`href="${link}"`)
  // What was entered stands in the forms, and emptied fields are removed.
  expect((await visitor.get(path)).text).toContain('value="Do you work on Sundays?"')
  const half = await visitor.post(`${path}/texts`, { question: 'Alone?', answer: '' })
  expect([half.status, half.text.includes('Enter each question with its answer')]).toEqual([400, true])
  expect(await visitor.post(`${path}/texts`, {})).toMatchObject({ status: 303 })
  const emptied = await (await app.send(`/api/v1/profile/public/${pro.slug}`)).json()
  expect(emptied).toMatchObject({ headline: null, about: null, highlights: [], faq: [] })
})

test('a new pro reads under Today what to do before the first booking, until it is done', async () => {
  const { deps } = app
  const [pro] = await deps.write.run<{ id: string }>(
    'newPro',
    (sql) => sql`
      update professionals set description = null, verified = false, business_hours = '{}'
      where id = (select id from professionals p where p.active
        and not exists (select from bookings b where b.professional_id = p.id and b.status in ('pending', 'confirmed'))
        order by id desc limit 1)
      returning id`,
  )
  const id = pro?.id ?? ''
  await deps.write.run('newOffers', (sql) => sql`delete from professional_services where professional_id = ${id}`)
  const visitor = await loggedInVisitor(app, 'pro', { pro: id })
  const done = async () => ((await visitor.get('/console')).text.match(/>Done</g) ?? []).length
  expect((await visitor.get('/console')).text).toMatch(/Add your services and prices<\/a>[^]*>Next</)
  expect(await done()).toBe(0)
  await visitor.post('/console/settings/hours', { monday: ['09:00', '17:00'] })
  await visitor.post('/console/my-verification', { note: 'Please check my license.' })
  expect(await done()).toBe(2)
})

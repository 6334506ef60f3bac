// Packages on the pro's page and on their own page, and booking them at the fixed price.
import { describe, expect, test } from 'bun:test'

import { changeOffer } from '../../../src/features/business/offers/verbs.ts'
import { listPackagesOfPro } from '../../../src/features/business/packages/verbs/packages.ts'
import { VISIT_ADDRESS, VISIT_PHONE } from '../../support/booking-fixture.ts'
import { openTestApp } from '../../support/app.ts'
import { fillAddress, watchPage } from '../../support/browser.ts'
import { checkPage, useConsole } from '../../support/console.ts'
import { visitorFromNewAddress } from '../../support/visitor.ts'
import { escaped } from '../../support/escaped.ts'
import { ctxOf } from '../../../src/ctx.ts'

const world = await useConsole()

const EVIL = '</script><script>alert(1)</script>'
const { deps } = world.app
const find = async (isInstant: boolean) => {
  const [row] = await deps.read.run<{ id: string; slug: string; serviceId: string }>(
    'packagePro',
    (sql) => sql`
        select p.id, p.slug, o.service_id from professionals p
        join professional_services o on o.professional_id = p.id and o.instant_book_enabled
          and o.duration_minutes between 30 and 180
        where p.active and p.instant_booking_enabled = ${isInstant} and not p.requires_approval
          and not p.deposit_required and p.phone is not null
        order by p.id, o.service_id limit 1`,
  )
  if (!row) throw new Error('The seed has no such pro.')
  return row
}
const createPackage = async ({ id, serviceId }: { id: string; serviceId: string }) => {
  await changeOffer(ctxOf(deps, { professionalId: id }), {
    serviceId,
    packageKind: 'standard',
    packageName: `Whole home ${EVIL}`,
    packagePrice: 149.5,
    includes: ['Two rooms', EVIL],
    cadence: 'monthly',
    bedrooms: 2,
  })
  const [created] = await listPackagesOfPro(ctxOf(deps), { professionalId: id })
  if (!created) throw new Error('The package was not created.')
  return created
}
const pro = await find(true)
const offer = await createPackage(pro)
/** A package of a pro without instant booking. */
const quoteOnly = await createPackage(await find(false))

const path = () => `/packages/${offer.sku}`

test('no sentence goes on after the name of a package, which may end in any word', async () => {
  const [stored] = await world.app.sql<{ name: string }[]>`select name from packages where id = ${offer.id}`
  await world.app.sql`update packages set name = 'Deep clean, all in' where id = ${offer.id}`
  const { text } = await visitorFromNewAddress(world.app).get(path())
  await world.app.sql`update packages set name = ${stored?.name ?? ''} where id = ${offer.id}`
  expect(text).not.toContain('in in ')
  expect(/<title>([^<]*)/.exec(text)?.[1]).toMatch(/^Deep clean, all in: \$[\d.]+ in [A-Z]/)
})

describe('the page of a package', () => {
  test('is linked from the pro’s page and leads to a booking with its price and duration', async () => {
    const visit = await watchPage(world.browser)
    const { page } = visit
    await page.goto(`${world.url}/pros/${pro.slug}`)
    await page.getByRole('link', { name: 'Whole home' }).click()
    await page.waitForURL('**/packages/*')
    await checkPage(visit, 'package')
    await page.getByRole('link', { name: 'Choose a time' }).focus()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/book?package=*')
    await checkPage(visit, 'package-time')
    await page.locator('.slots a').first().click()
    await page.getByLabel('Your name').fill('Demo Customer')
    await page.getByLabel('E-mail address').fill('customer@demo.example')
    await fillAddress(page)
    await checkPage(visit, 'package-details')
    await page.getByRole('button', { name: 'Book and pay' }).click()
    await page.getByRole('heading', { name: 'Pay for your booking' }).waitFor()
    await page.getByRole('button', { name: 'Pay', exact: true }).click()
    await page.getByRole('link', { name: 'See, move or cancel your booking' }).click()
    await page.getByText('Your booking is confirmed').waitFor()
    const code = await page.getByText(/^HTH-/).innerText()
    const [row] = await world.app.deps.read.run(
      'bookedPackage',
      (sql) => sql`select package_id, duration_minutes, source from bookings where confirmation_code = ${code}`,
    )
    expect(row).toMatchObject({ packageId: offer.id, durationMinutes: offer.durationMinutes, source: 'web' })
    await page.context().close()
  }, 120_000)

  test('creates one booking when the form is sent again without scripts', async () => {
    const visitor = visitorFromNewAddress(world.app)
    const times = (await visitor.get(`/pros/${pro.slug}/book?package=${offer.id}`)).text
    const chosen = /href="([^"]+&amp;time=[^"]+)#who"/.exec(times)?.[1]?.replaceAll('&amp;', '&') ?? ''
    const { text } = await visitor.get(chosen)
    const hidden = Object.fromEntries(
      [...text.matchAll(/<input type="hidden" name="(\w+)" value="([^"]+)"/g)].map(([, name, value]) => [name, value]),
    ) as Record<string, string>
    const person = { name: 'Demo Customer', email: 'customer@demo.example', phone: VISIT_PHONE, ...VISIT_ADDRESS }
    const fields = { ...hidden, ...person }
    const sent = await Promise.all([1, 2, 3].map(() => visitor.postRaw(`/pros/${pro.slug}/book`, fields)))
    expect(sent.map(({ status }) => status)).toEqual([303, 303, 303])
    expect(new Set(sent.map(({ location }) => location)).size).toBe(1)
    const late = await visitor.postRaw(`/pros/${pro.slug}/book`, { ...fields, idempotencyKey: crypto.randomUUID() })
    expect(late.text).toContain('This time is no longer available.')
    const none = await visitor.postRaw(`/pros/${pro.slug}/book`, { ...fields, package: crypto.randomUUID() })
    expect(none.status).toBe(404)
  })

  test('escapes the pro’s text and contains schema.org data for search engines', async () => {
    const { text } = await visitorFromNewAddress(world.app).get(path())
    expect(text).not.toContain(EVIL)
    expect(text).toContain(escaped(EVIL))
    const data: unknown = JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/s.exec(text)?.[1] ?? 'null')
    const service = {
      '@type': 'Service',
      name: offer.name,
      provider: { name: offer.professional.businessName, url: `${world.url}/pros/${pro.slug}` },
      offers: { '@type': 'Offer', price: 149.5, priceCurrency: 'USD', sku: offer.sku },
    }
    expect(data).toMatchObject({ '@graph': [service, { '@type': 'BreadcrumbList' }] })
  })

  test('has one URL, which the sitemap lists; other URLs redirect or are not found', async () => {
    const visitor = visitorFromNewAddress(world.app)
    for (const other of [offer.id, offer.sku.toLowerCase()])
      expect(await visitor.get(`/packages/${other}`)).toMatchObject({ status: 308, location: path() })
    expect((await visitor.get('/packages/NOTHING')).status).toBe(404)
    expect((await visitor.get('/sitemap.xml')).text).toContain(`<loc>${world.url}/sitemaps/packages-0.xml</loc>`)
    expect((await visitor.get('/sitemaps/packages-0.xml')).text).toContain(`<loc>${world.url}${path()}</loc>`)
    expect((await visitor.get('/sitemaps/packages-1.xml')).status).toBe(404)
  })

  test('leads to a quote request when the pro does not take bookings', async () => {
    const visitor = visitorFromNewAddress(world.app)
    const { text } = await visitor.get(`/packages/${quoteOnly.sku}`)
    expect(text).toContain(`href="/pros/${quoteOnly.professional.slug}/quote?service=${quoteOnly.service.id}"`)
    expect(text).not.toContain('/book?package=')
    const book = await visitor.get(`/pros/${quoteOnly.professional.slug}/book?package=${quoteOnly.id}`)
    expect(book.text).toContain('No online booking')
  })
})

test('without the packages feature there are no package pages and no list of packages', async () => {
  const app = await openTestApp('migrated', { env: { FEATURE_OFFER_PACKAGES: 'false' } })
  const visitor = visitorFromNewAddress(app)
  expect((await visitor.get('/packages/ANY')).status).toBe(404)
  expect((await visitor.get('/sitemap.xml')).text).not.toContain('packages')
  await app.close()
})

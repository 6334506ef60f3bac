// A pro adds a service of the catalog and ends it: search follows at once, and bookings stay.
import { expect, test } from 'bun:test'

import {
  addOffer,
  changeOffer,
  listFurtherServices,
  listOffers,
  removeOffer,
} from '../../../../src/features/business/offers/verbs.ts'
import { findBookableSlot, openTestApp } from '../../../support/app.ts'
import { opened } from '../../../support/fixture.ts'
import { ctxOf } from '../../../../src/ctx.ts'

const app = await opened(openTestApp())
const slot = await findBookableSlot(app)

const pro = () => ({ professionalId: slot.professionalId })
const isFound = async (service: string) => {
  const response = await app.send(`/api/v1/profile/public/${slot.professionalId}`)
  return (await response.text()).includes(service)
}

test('an added service has its price, is found, and can be added once', async () => {
  const [further] = await listFurtherServices(ctxOf(app.deps, pro()))
  if (!further) throw new Error('The pro offers everything.')
  const { id: serviceId, name } = further
  expect(await isFound(name)).toBe(false)
  const offer = await addOffer(ctxOf(app.deps, pro()), {
    serviceId,
    priceType: 'flat',
    unit: null,
    basePrice: 80,
    durationMinutes: 45,
  })
  expect([offer.basePrice, offer.durationMinutes, offer.priceType]).toEqual([80, 45, 'flat'])
  expect(await isFound(name)).toBe(true)
  expect((await listFurtherServices(ctxOf(app.deps, pro()))).map(({ id }) => id)).not.toContain(serviceId)
  expect(addOffer(ctxOf(app.deps, pro()), { serviceId })).rejects.toMatchObject({ code: 'validation_failed' })
  expect(addOffer(ctxOf(app.deps, pro()), { serviceId: crypto.randomUUID() })).rejects.toMatchObject({
    code: 'validation_failed',
  })
  await removeOffer(ctxOf(app.deps, pro()), { serviceId })
  expect(await isFound(name)).toBe(false)
  expect(removeOffer(ctxOf(app.deps, pro()), { serviceId })).rejects.toMatchObject({ code: 'service_not_found' })
})

test('a refused price adds nothing', async () => {
  const [further] = await listFurtherServices(ctxOf(app.deps, pro()))
  const serviceId = further?.id ?? ''
  const bad = addOffer(ctxOf(app.deps, pro()), { serviceId, priceType: 'flat', unit: null, minPrice: 9, maxPrice: 3 })
  expect(bad).rejects.toMatchObject({ code: 'validation_failed' })
  expect((await listOffers(ctxOf(app.deps, pro()))).services.map((offer) => offer.serviceId)).not.toContain(serviceId)
})

test('an ended service takes its package along, and its bookings stay', async () => {
  const { deps } = app
  const { serviceId } = slot
  await changeOffer(ctxOf(deps, pro()), { serviceId, packageKind: 'standard', packagePrice: 90 })
  const count = async () =>
    (
      await deps.read.run<{ count: number }>(
        'countOf',
        (sql) => sql`
      select count(*)::int from bookings where professional_id = ${slot.professionalId} and service_id = ${serviceId}`,
      )
    )[0]?.count
  const before = await count()
  await removeOffer(ctxOf(deps, pro()), { serviceId })
  const packages = await deps.read.run(
    'packagesOf',
    (sql) => sql`
    select from packages where professional_id = ${slot.professionalId} and service_id = ${serviceId}`,
  )
  expect([await count(), packages.length]).toEqual([before, 0])
})

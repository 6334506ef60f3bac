// GET /pro/services, and PATCH /api/pro/services. Spec §4.6.
import { Elysia } from 'elysia'

import type { Deps } from '../../../deps.ts'
import { flaggedFields } from '../../../http/flagged-fields.ts'
import { guard } from '../../../http/guard.ts'
import { problems, returns } from '../../../http/responses.ts'
import { PACKAGE_CHANGE } from '../packages/rules/offered.ts'
import { Offer, OfferChange, Offers } from './schemas.ts'
import { changeOffer, listOffers } from './verbs.ts'

const tags = ['Pro settings']

export const offerRoutes = (deps: Deps) =>
  new Elysia({ name: 'offers', prefix: '/pro' }).use(guard(deps)).get(
    '/services',
    async function getProServices({ ctx }) {
      return await listOffers(ctx)
    },
    {
      proKey: 'pro:read',
      response: { 200: returns('The services with their prices and packages', Offers) },
      detail: { tags, summary: 'The pro’s offers' },
    },
  )

/** The spec puts this route under /api, not /api/v1. */
export const offerChangeRoutes = (deps: Deps) =>
  new Elysia({ name: 'offer-changes', prefix: '/api/pro' }).use(guard(deps)).patch(
    '/services',
    async function patchProServices({ ctx, body }) {
      return await changeOffer(ctx, body)
    },
    {
      proKey: 'pro:write',
      body: OfferChange,
      response: {
        200: returns('The changed offer', Offer),
        ...problems({ 404: 'The pro does not offer the service' }),
      },
      detail: { ...flaggedFields(PACKAGE_CHANGE), tags, summary: 'Change an offer: price, duration, package' },
    },
  )

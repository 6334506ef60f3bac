// /pro/profile, /pro/locations, /pro/services, and PATCH /api/pro/services. Spec §4.6.
import { Elysia } from 'elysia'

import type { Deps } from '../../deps.ts'
import { proKey } from '../../auth/access.ts'
import { guard } from '../../http/guard.ts'
import { json } from '../../http/json.ts'
import { proOf } from '../../auth/pro-caller.ts'
import { Locations, Offer, OfferChange, Offers, Profile, ProfileChange } from './schemas.ts'
import { changeOffer, changeProfile, getProfile, listLocations, listOffers } from './verbs.ts'

const tags = ['Pro settings']

export const profileRoutes = (deps: Deps) =>
  new Elysia({ name: 'profile', prefix: '/pro' })
    .use(guard(deps))
    .get(
      '/profile',
      async function getProProfile({ caller }) {
        return json(await getProfile(deps, proOf(caller)))
      },
      {
        access: proKey('pro:read'),
        answers: { 200: { description: 'The profile', schema: Profile } },
        detail: { tags, summary: 'The pro’s own profile' },
      },
    )
    .patch(
      '/profile',
      async function patchProProfile({ caller, body }) {
        return json(await changeProfile(deps, proOf(caller), body))
      },
      {
        access: proKey('pro:write'),
        body: ProfileChange,
        answers: { 200: { description: 'The profile as it is now', schema: Profile } },
        detail: { tags, summary: 'Change the profile' },
      },
    )
    .get(
      '/locations',
      async function getProLocations({ caller }) {
        return json(await listLocations(deps, proOf(caller)))
      },
      {
        access: proKey('pro:read'),
        answers: { 200: { description: 'Where the pro works from', schema: Locations } },
        detail: { tags, summary: 'The pro’s locations' },
      },
    )
    .get(
      '/services',
      async function getProServices({ caller }) {
        return json(await listOffers(deps, proOf(caller)))
      },
      {
        access: proKey('pro:read'),
        answers: { 200: { description: 'The services with their prices and packages', schema: Offers } },
        detail: { tags, summary: 'What the pro offers' },
      },
    )

/** The spec roots this one at /api, not at /api/v1. */
export const offerRoutes = (deps: Deps) =>
  new Elysia({ name: 'offers', prefix: '/api/pro' }).use(guard(deps)).patch(
    '/services',
    async function patchProServices({ caller, body }) {
      return json(await changeOffer(deps, proOf(caller), body))
    },
    {
      access: proKey('pro:write'),
      body: OfferChange,
      answers: {
        200: { description: 'The offer as it is now', schema: Offer },
        404: { description: 'The pro does not offer the service' },
      },
      detail: { tags, summary: 'Change an offer: price, duration, package' },
    },
  )

// /pro/profile and /pro/locations. Spec §4.6.
import { Elysia } from 'elysia'

import type { Deps } from '../../../deps.ts'
import { guard } from '../../../http/guard.ts'
import { returns } from '../../../http/responses.ts'
import { Locations, Profile, ProfileChange } from './schemas.ts'
import { changeProfile, getProfile, listLocations } from './verbs.ts'

const tags = ['Pro settings']

export const profileRoutes = (deps: Deps) =>
  new Elysia({ name: 'profile', prefix: '/pro' })
    .use(guard(deps))
    .get(
      '/profile',
      async function getProProfile({ ctx }) {
        return await getProfile(ctx)
      },
      {
        proKey: 'pro:read',
        response: { 200: returns('The profile', Profile) },
        detail: { tags, summary: 'The pro’s own profile' },
      },
    )
    .patch(
      '/profile',
      async function patchProProfile({ ctx, body }) {
        return await changeProfile(ctx, body)
      },
      {
        proKey: 'pro:write',
        body: ProfileChange,
        response: { 200: returns('The changed profile', Profile) },
        detail: { tags, summary: 'Change the profile' },
      },
    )
    .get(
      '/locations',
      async function getProLocations({ ctx }) {
        return await listLocations(ctx)
      },
      {
        proKey: 'pro:read',
        response: { 200: returns('The pro’s locations', Locations) },
        detail: { tags, summary: 'The pro’s locations' },
      },
    )

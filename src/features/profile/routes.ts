// /pro/profile and /pro/locations. Spec §4.6.
import { Elysia } from 'elysia'

import type { Deps } from '../../deps.ts'
import { proKey } from '../../auth/access.ts'
import { guard } from '../../http/guard.ts'
import { json } from '../../http/json.ts'
import { proOf } from '../../auth/pro-caller.ts'
import { Locations, Profile, ProfileChange } from './schemas.ts'
import { changeProfile, getProfile, listLocations } from './verbs.ts'

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
        answers: { 200: { description: 'The changed profile', schema: Profile } },
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
        answers: { 200: { description: 'The pro’s locations', schema: Locations } },
        detail: { tags, summary: 'The pro’s locations' },
      },
    )

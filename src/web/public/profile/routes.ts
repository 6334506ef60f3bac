// /pros/{slug}: a pro's page, the profileUrl of the API.
import { Elysia } from 'elysia'

import type { Deps } from '../../../deps.ts'
import { listPackagesOfPro } from '../../../features/packages/verbs/packages.ts'
import type { PublicProfile } from '../../../features/pros/schemas.ts'
import { getPublicProfile } from '../../../features/pros/verbs/pros.ts'
import { publicPage } from '../../../auth/access.ts'
import { guard } from '../../../http/guard.ts'
import { renderPublicPage } from '../../ui/responses.ts'
import { profilePage } from './view.ts'

export const profilePages = (deps: Deps) =>
  new Elysia({ name: 'profile-pages' }).use(guard(deps)).get(
    '/pros/:id',
    async function getProfilePage({ request, params: { id } }) {
      // SQL builds the JSON after the schema of this type.
      const pro = JSON.parse(await getPublicProfile(deps, id)) as PublicProfile
      // Ids and upper-case slugs redirect to the one URL of a pro.
      if (id !== pro.slug) return new Response(null, { status: 308, headers: { location: `/pros/${pro.slug}` } })
      return renderPublicPage(request, profilePage({ ...pro, packages: await listPackagesOfPro(deps, pro.id) }))
    },
    { access: publicPage, caching: 'public' },
  )

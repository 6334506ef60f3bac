// /console/applications: operators read who wants to join, and approve, ask or refuse.
import { type Static, Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'

import { inviteUser } from '../../../auth/users/verbs/users.ts'
import type { Ctx } from '../../../ctx.ts'
import type { Deps } from '../../../deps.ts'
import { placeIn } from '../../../features/catalog/services/verbs/place-of-business.ts'
import {
  answerApplication,
  approveApplication,
  findLikely,
  getApplication,
  listApplicationsBy,
  reopenApplication,
} from '../../../features/business/applications/verbs/decide.ts'
import { getCatalogNames } from '../../../features/catalog/services/verbs/names.ts'
import { planInvitation } from '../../../features/messages/messages/verbs/user-links.ts'
import { listActions } from '../../../features/upkeep/audit/verbs.ts'
import { isServed } from '../../../features/upkeep/marketplace/rules/area.ts'
import { getMarketplace } from '../../../features/upkeep/marketplace/verbs.ts'
import { guard } from '../../../http/guard.ts'
import type { AuthenticatedRequest } from '../../../http/session.ts'
import { pageParameters } from '../../../platform/schema/paging.ts'
import { OneOf, Uuid } from '../../../platform/schema/types.ts'
import { EMPTY_FORM, formStatus } from '../../ui/form.tsx'
import { redirectWithFlash, renderConsolePage } from '../../ui/responses.tsx'
import { submitForm } from '../../ui/submit.ts'
import { APPLICATIONS_PATH as PATH, DecisionForm, applicationView, applicationsView } from './view.tsx'

const session = ['operator'] as const
const params = Type.Object({ id: Uuid() })
const query = Type.Object({ show: Type.Optional(OneOf(['sent', 'asked', 'approved', 'refused'])), ...pageParameters })

export const applicationPages = (deps: Deps) =>
  new Elysia({ name: 'application-pages' })
    .use(guard(deps))
    .get(
      PATH,
      async function getApplications({ ctx, authenticated: by, query: { show = 'sent', ...page } }) {
        const { applications, meta } = await listApplicationsBy(ctx, { status: show, ...page })
        const content = applicationsView({ applications, meta, show, now: ctx.clock.now() })
        return renderConsolePage(ctx, by, { title: 'Applications', content })
      },
      { session, query },
    )
    .get(
      `${PATH}/:id`,
      async function getApplicationPage({ ctx, authenticated, params: { id } }) {
        return await renderApplication(ctx, authenticated, id)
      },
      { session, params },
    )
    .post(
      `${PATH}/:id`,
      async function postDecision({ ctx, authenticated: by, params: { id } }) {
        return await submitForm(
          DecisionForm,
          by.form,
          async (input) => {
            const text = await decide(ctx, by, { id, ...input })
            return redirectWithFlash(ctx, by.session, `${PATH}/${id}`, { tone: 'good', text })
          },
          (formState) => renderApplication(ctx, by, id, formState),
        )
      },
      { session, params, form: DecisionForm },
    )

async function decide(
  ctx: Ctx,
  { session: { userId: by } }: AuthenticatedRequest,
  { id, action, words = '' }: { id: string } & Static<typeof DecisionForm>,
): Promise<string> {
  if (action === 'approve') {
    await approveApplication(ctx, {
      id,
      by,
      createLogin: (ctx, owner) => inviteUser(ctx, { ...owner, by, planMessage: planInvitation }),
    })
    return 'Approved: customers find the pro, who is sent a link to choose a password.'
  }
  if (action === 'reopen') {
    await reopenApplication(ctx, { id, by })
    return 'The application waits for a decision again. The applicant is told.'
  }
  await answerApplication(ctx, { id, by, action, words })
  return action === 'ask' ? 'The applicant is asked.' : 'The application is refused. The applicant reads why.'
}

async function renderApplication(
  ctx: Ctx,
  by: AuthenticatedRequest,
  id: string,
  formState = EMPTY_FORM,
): Promise<Response> {
  const application = await getApplication(ctx, { id })
  const [likely, actions, names, { area }] = await Promise.all([
    findLikely(ctx, { application }),
    listActions(ctx, { subjectId: id }),
    getCatalogNames(ctx),
    getMarketplace(ctx),
  ])
  const { place, radiusMiles } = application
  const found = place === null ? undefined : placeIn(names, place)
  const content = applicationView(by.session, {
    application,
    likely,
    actions,
    services: names.services,
    city: found?.city,
    isServed: found !== undefined && isServed(area, found.point, radiusMiles ?? 0),
    formState,
  })
  return renderConsolePage(
    ctx,
    by,
    { title: `Application: ${application.businessName ?? ''}`, content },
    formStatus(formState),
  )
}

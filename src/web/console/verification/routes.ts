// /console/verification: an operator records what was checked of a pro.
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'

import type { Ctx } from '../../../ctx.ts'
import type { Deps } from '../../../deps.ts'
import { invalidField } from '../../../errors/app-error.ts'
import { closePro, findClosing, getOpenWork, reopenPro } from '../../../features/business/closing/verbs/close.ts'
import { changeProStatus } from '../../../features/business/pros/verbs.ts'
import { getPlanOfPro, givePlan, listPlans } from '../../../features/business/plans/verbs.ts'
import { listActions } from '../../../features/upkeep/audit/verbs.ts'
import { VerificationQuery } from '../../../features/business/verification/schemas.ts'
import {
  findProsToCheck,
  getProToCheck,
  listEvidence,
  refuseVerification,
  setMarks,
} from '../../../features/business/verification/verbs.ts'
import { guard } from '../../../http/guard.ts'
import type { AuthenticatedRequest } from '../../../http/session.ts'
import { pageMeta } from '../../../platform/schema/paging.ts'
import { Uuid } from '../../../platform/schema/types.ts'
import { EMPTY_FORM, formStatus } from '../../ui/form.tsx'
import { redirect, redirectWithFlash, renderConsolePage } from '../../ui/responses.tsx'
import { submitForm } from '../../ui/submit.ts'
import { isSameName } from '../closing/routes.ts'
import { OperatorCloseForm, ReopenForm, closeSection, closedSection } from '../closing/view.tsx'
import { ProPlanForm, proPlanSection } from '../plans/view.tsx'
import { ProStatusForm, proStatusSection } from '../pro-status.tsx'
import { MarksForm, marksIn } from './marks.tsx'
import { RefusalForm, VERIFICATION_PATH as PATH, proListView, proView } from './view.tsx'

const session = ['operator'] as const
const params = Type.Object({ id: Uuid() })
export const verificationPages = (deps: Deps) =>
  new Elysia({ name: 'verification-pages' })
    .use(guard(deps))
    .use(planOfProPages(deps))
    .use(statusOfProPages(deps))
    .use(closingOfProPages(deps))
    .get(
      PATH,
      async function getProsToCheck({ ctx, authenticated: by, query }) {
        const { pros, total } = await findProsToCheck(ctx, query)
        const content = proListView(by.session, { pros, meta: pageMeta(total, query), query })
        return renderConsolePage(ctx, by, { title: 'Verification', content })
      },
      { session, query: VerificationQuery },
    )
    .get(
      `${PATH}/:id`,
      async function getProToVerify({ ctx, authenticated, params: { id } }) {
        return await renderPro(ctx, authenticated, id)
      },
      { session, params },
    )
    .post(
      `${PATH}/:id`,
      async function postMarks({ ctx, authenticated: by, params: { id } }) {
        return await submitForm(
          MarksForm,
          by.form,
          async (input) => {
            const { reason, seen } = input
            const change = { ...marksIn(input), reason, seen, by: by.session.userId }
            const isChanged = await setMarks(ctx, { professionalId: id, ...change })
            const text = isChanged
              ? 'Saved. Search shows it now, and the pro is told.'
              : 'Nothing was changed: all of it was so before.'
            return redirectWithFlash(ctx, by.session, `${PATH}/${id}`, { tone: 'good', text })
          },
          (formState) => renderPro(ctx, by, id, { formState }),
        )
      },
      { session, params, form: MarksForm },
    )
    .get(`${PATH}/:id/refuse`, ({ params: { id } }) => redirect(`${PATH}/${id}`), { session, params })
    .post(
      `${PATH}/:id/refuse`,
      async function postRefusal({ ctx, authenticated: by, params: { id } }) {
        return await submitForm(
          RefusalForm,
          by.form,
          async ({ reason }) => {
            await refuseVerification(ctx, { professionalId: id, reason, by: by.session.userId })
            const text = 'The request is refused. The pro reads why.'
            return redirectWithFlash(ctx, by.session, `${PATH}/${id}`, { tone: 'good', text })
          },
          (refusalState) => renderPro(ctx, by, id, { refusalState }),
        )
      },
      { session, params, form: RefusalForm },
    )

/** The plan of the pro. */
const planOfProPages = (deps: Deps) =>
  new Elysia({ name: 'plan-of-pro-pages' })
    .use(guard(deps))
    .get(`${PATH}/:id/plan`, ({ params: { id } }) => redirect(`${PATH}/${id}`), { session, params })
    .post(
      `${PATH}/:id/plan`,
      async function postPlanOfPro({ ctx, authenticated: by, params: { id } }) {
        return await submitForm(
          ProPlanForm,
          by.form,
          async ({ plan, until = null }) => {
            const isChanged = await givePlan(ctx, { professionalId: id, plan, until, by: by.session.userId })
            const text = isChanged ? 'The pro has the plan now.' : 'Nothing was changed: the pro had this plan and end.'
            return redirectWithFlash(ctx, by.session, `${PATH}/${id}`, { tone: 'good', text })
          },
          (planState) => renderPro(ctx, by, id, { planState }),
        )
      },
      { session, params, form: ProPlanForm },
    )

/** Whether customers find the pro. */
const statusOfProPages = (deps: Deps) =>
  new Elysia({ name: 'status-of-pro-pages' })
    .use(guard(deps))
    .get(`${PATH}/:id/status`, ({ params: { id } }) => redirect(`${PATH}/${id}`), { session, params })
    .post(
      `${PATH}/:id/status`,
      async function postStatusOfPro({ ctx, authenticated: by, params: { id } }) {
        return await submitForm(
          ProStatusForm,
          by.form,
          async ({ action, reason }) => {
            const change = { professionalId: id, action, by: by.session.userId, operatorReason: reason }
            await changeProStatus(ctx, change)
            const text =
              action === 'pause'
                ? 'Customers do not find the pro any more. The pro is told why.'
                : 'Customers find the pro again. The pro is told.'
            return redirectWithFlash(ctx, by.session, `${PATH}/${id}`, { tone: 'good', text })
          },
          (statusState) => renderPro(ctx, by, id, { statusState }),
        )
      },
      { session, params, form: ProStatusForm },
    )

/** Closes the account of the pro, and opens it again. */
const closingOfProPages = (deps: Deps) =>
  new Elysia({ name: 'closing-of-pro-pages' })
    .use(guard(deps))
    .get(`${PATH}/:id/close`, ({ params: { id } }) => redirect(`${PATH}/${id}`), { session, params })
    .post(
      `${PATH}/:id/close`,
      async function postClosingOfPro({ ctx, authenticated: by, params: { id } }) {
        return await submitForm(
          OperatorCloseForm,
          by.form,
          async ({ name, reason }) => {
            const { businessName } = await getProToCheck(ctx, { id })
            if (!isSameName(name, businessName)) throw invalidField('name', 'is not the name of the business')
            await closePro(ctx, { professionalId: id, by: by.session.userId, operatorReason: reason })
            const text = 'The account is closed. The pro and all customers with open work are told.'
            return redirectWithFlash(ctx, by.session, `${PATH}/${id}`, { tone: 'good', text })
          },
          (closingState) => renderPro(ctx, by, id, { closingState }),
        )
      },
      { session, params, form: OperatorCloseForm },
    )
    .get(`${PATH}/:id/reopen`, ({ params: { id } }) => redirect(`${PATH}/${id}`), { session, params })
    .post(
      `${PATH}/:id/reopen`,
      async function postReopening({ ctx, authenticated: by, params: { id } }) {
        return await submitForm(
          ReopenForm,
          by.form,
          async ({ reason }) => {
            await reopenPro(ctx, { professionalId: id, by: by.session.userId, reason })
            const text = 'The account is open again, and paused. The pro is told.'
            return redirectWithFlash(ctx, by.session, `${PATH}/${id}`, { tone: 'good', text })
          },
          (closingState) => renderPro(ctx, by, id, { closingState }),
        )
      },
      { session, params, form: ReopenForm },
    )

const NO_STATES = {
  formState: EMPTY_FORM,
  refusalState: EMPTY_FORM,
  planState: EMPTY_FORM,
  statusState: EMPTY_FORM,
  closingState: EMPTY_FORM,
}

async function renderPro(
  ctx: Ctx,
  by: AuthenticatedRequest,
  id: string,
  changed: Partial<typeof NO_STATES> = {},
): Promise<Response> {
  const states = { ...NO_STATES, ...changed }
  const [pro, actions, evidence, plan, plans, closing, work] = await Promise.all([
    getProToCheck(ctx, { id }),
    listActions(ctx, { subjectId: id }),
    listEvidence(ctx, { professionalId: id }),
    getPlanOfPro(ctx, { professionalId: id }),
    listPlans(ctx),
    findClosing(ctx, { professionalId: id }),
    getOpenWork(ctx, { professionalId: id }),
  ])
  const { status, pausedByOperator, businessName } = pro
  const [path, formState] = [`${PATH}/${id}`, states.closingState]
  const sections =
    status === 'closed'
      ? [closing && closedSection(by.session, { path, closing, formState })]
      : [
          proStatusSection(by.session, { path, pro: { status, pausedByOperator }, formState: states.statusState }),
          proPlanSection(by.session, { path, plan, plans, formState: states.planState }),
          closeSection(by.session, { path, businessName, work, formState }),
        ]
  const content = proView(by.session, {
    ...states,
    pro,
    actions,
    evidence,
    sections: sections.filter((it) => it !== undefined),
  })
  const failed = Object.values(states).find((state) => state !== EMPTY_FORM) ?? EMPTY_FORM
  return renderConsolePage(ctx, by, { title: pro.businessName, content, styles: ['operator.css'] }, formStatus(failed))
}

// /console/plans: operators define plans. A pro is given one on the page of the pro.
import { type Static, Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'

import type { Ctx } from '../../../ctx.ts'
import type { Deps } from '../../../deps.ts'
import { MAX_PLAN_NAME, type PlanTerms } from '../../../features/business/plans/schemas.ts'
import {
  addPlan,
  changePlan,
  getPlan,
  listPlans,
  offerPlan,
  retirePlan,
} from '../../../features/business/plans/verbs.ts'
import { listPlanActions } from '../../../features/upkeep/audit/verbs.ts'
import { guard } from '../../../http/guard.ts'
import type { AuthenticatedRequest } from '../../../http/session.ts'
import { toCents } from '../../../platform/schema/money.ts'
import { Text } from '../../../platform/schema/types.ts'
import { EMPTY_FORM, formStatus } from '../../ui/form.tsx'
import { redirectWithFlash, renderConsolePage } from '../../ui/responses.tsx'
import { runAction, submitForm } from '../../ui/submit.ts'
import { PLANS_PATH as PATH, PlanForm, planListView, planView } from './view.tsx'

const session = ['operator'] as const
const params = Type.Object({ id: Text(MAX_PLAN_NAME, { minLength: 1 }) })

export const planPages = (deps: Deps) =>
  new Elysia({ name: 'plan-pages' })
    .use(guard(deps))
    .use(planActions(deps))
    .get(
      PATH,
      async function getPlans({ ctx, authenticated: by }) {
        return await renderList(ctx, by)
      },
      { session },
    )
    .post(
      PATH,
      async function postPlan({ ctx, authenticated: by }) {
        return await submitForm(
          PlanForm,
          by.form,
          async (input) => {
            const { id } = await addPlan(ctx, { ...termsOf(input), by: by.session.userId })
            const text = `The plan ${input.name} is on offer.`
            return redirectWithFlash(ctx, by.session, `${PATH}/${id}`, { tone: 'good', text })
          },
          (formState) => renderList(ctx, by, formState),
        )
      },
      { session, form: PlanForm },
    )
    .get(
      `${PATH}/:id`,
      async function getPlanPage({ ctx, authenticated: by, params: { id } }) {
        return await renderPlan(ctx, by, id)
      },
      { session, params },
    )
    .post(
      `${PATH}/:id`,
      async function postPlanChange({ ctx, authenticated: by, params: { id } }) {
        return await submitForm(
          PlanForm,
          by.form,
          async (input) => {
            const isChanged = await changePlan(ctx, { id, seen: input.seen, ...termsOf(input), by: by.session.userId })
            const text = isChanged ? 'Saved.' : 'Nothing was changed: all of it was so before.'
            return redirectWithFlash(ctx, by.session, `${PATH}/${id}`, { tone: 'good', text })
          },
          (formState) => renderPlan(ctx, by, id, formState),
        )
      },
      { session, params, form: PlanForm },
    )

/** The buttons of one plan. */
const planActions = (deps: Deps) =>
  new Elysia({ name: 'plan-actions' })
    .use(guard(deps))
    .post(
      `${PATH}/:id/retire`,
      async function postRetirement({ ctx, authenticated: by, params: { id } }) {
        return await runAction(ctx, by, `${PATH}/${id}`, async () => {
          await retirePlan(ctx, { id, by: by.session.userId })
          return 'The plan is retired. Pros who have it keep it.'
        })
      },
      { session, params },
    )
    .post(
      `${PATH}/:id/offer`,
      async function postOffer({ ctx, authenticated: by, params: { id } }) {
        return await runAction(ctx, by, `${PATH}/${id}`, async () => {
          await offerPlan(ctx, { id, by: by.session.userId })
          return 'The plan is on offer again.'
        })
      },
      { session, params },
    )

const termsOf = ({ name, price, tasks, hasAgentServer }: Static<typeof PlanForm>): PlanTerms => ({
  name,
  priceCents: price === undefined ? null : toCents(price),
  tasks,
  hasAgentServer,
})

async function renderList(ctx: Ctx, by: AuthenticatedRequest, formState = EMPTY_FORM): Promise<Response> {
  const content = planListView(by.session, await listPlans(ctx), formState)
  return renderConsolePage(ctx, by, { title: 'Plans', content }, formStatus(formState))
}

async function renderPlan(ctx: Ctx, by: AuthenticatedRequest, id: string, formState = EMPTY_FORM): Promise<Response> {
  const [plan, actions] = await Promise.all([getPlan(ctx, { id }), listPlanActions(ctx, { planId: id })])
  const content = planView(by.session, { plan, actions, formState })
  return renderConsolePage(ctx, by, { title: `Plan ${plan.name}`, content }, formStatus(formState))
}

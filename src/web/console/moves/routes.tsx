/** @jsxImportSource preact */
// /console/profile/move: a pro moves. /console/verification/:id/move: an operator moves a pro, with a reason.
import { type Static, Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'

import type { Ctx } from '../../../ctx.ts'
import type { Deps } from '../../../deps.ts'
import type { MoveInput, PlannedMove } from '../../../features/business/moves/schemas.ts'
import { getPlaceOfPro, movePro, planMove } from '../../../features/business/moves/verbs.ts'
import { getRegion } from '../../../features/upkeep/marketplace/verbs.ts'
import { guard } from '../../../http/guard.ts'
import { type AuthenticatedRequest, actingProOf } from '../../../http/session.ts'
import { Uuid } from '../../../platform/schema/types.ts'
import { typedDistance } from '../../../platform/text/distance.ts'
import { plural } from '../../../platform/text/format.ts'
import { Fields } from '../../ui/define-form.tsx'
import { EMPTY_FORM, type FormState, formStatus } from '../../ui/form.tsx'
import { redirectWithFlash, renderConsolePage } from '../../ui/responses.tsx'
import { submitForm } from '../../ui/submit.ts'
import { PROFILE_PATH } from '../profile/view.tsx'
import { VERIFICATION_PATH } from '../verification/view.tsx'
import { MoveForm, OperatorMoveForm, moveFormIn, operatorMoveFormIn } from './forms.ts'
import { backTo, moveView } from './view.tsx'

const OWN_PATH = `${PROFILE_PATH}/move`
const params = Type.Object({ id: Uuid() })

export const movePages = (deps: Deps) =>
  new Elysia({ name: 'move-pages' })
    .use(guard(deps))
    .get(
      OWN_PATH,
      async function getOwnMove({ ctx, authenticated: by }) {
        return await renderMove(ctx, by, { professionalId: actingProOf(by).professionalId })
      },
      { session: ['pro'] },
    )
    .post(
      OWN_PATH,
      async function postOwnMove({ ctx, authenticated: by }) {
        const { professionalId } = actingProOf(by)
        return await submitForm(
          moveFormIn(await getRegion(ctx)),
          by.form,
          (input) => planOrMove(ctx, by, { professionalId, input, operatorReason: null }),
          (formState) => renderMove(ctx, by, { professionalId, formState }),
        )
      },
      { session: ['pro'], form: MoveForm },
    )
    .get(
      `${VERIFICATION_PATH}/:id/move`,
      async function getMoveOfPro({ ctx, authenticated: by, params: { id } }) {
        return await renderMove(ctx, by, { professionalId: id })
      },
      { session: ['operator'], params },
    )
    .post(
      `${VERIFICATION_PATH}/:id/move`,
      async function postMoveOfPro({ ctx, authenticated: by, params: { id: professionalId } }) {
        return await submitForm(
          operatorMoveFormIn(await getRegion(ctx)),
          by.form,
          ({ reason, ...input }) => planOrMove(ctx, by, { professionalId, input, operatorReason: reason }),
          (formState) => renderMove(ctx, by, { professionalId, formState }),
        )
      },
      { session: ['operator'], params, form: OperatorMoveForm },
    )

interface Sent {
  professionalId: string
  input: Static<typeof MoveForm>
  operatorReason: string | null
}

/** Shows what would change, and does it once that has been seen. */
async function planOrMove(
  ctx: Ctx,
  by: AuthenticatedRequest,
  { professionalId, input: { place, isPlaceHidden, radius, seen }, operatorReason }: Sent,
): Promise<Response> {
  const region = await getRegion(ctx)
  const move: MoveInput = {
    professionalId,
    place,
    isPlaceHidden,
    radiusMiles: typedDistance.miles(region, radius),
  }
  const plan = await planMove(ctx, move)
  if (seen !== plan.version)
    return await renderMove(ctx, by, { professionalId, plan, formState: { values: by.form, errors: {}, status: 200 } })
  const { to, outside } = await movePro(ctx, { ...move, by: by.session.userId, operatorReason })
  const far = outside.length === 0 ? '' : ` ${plural(outside.length, 'visit')} to come: look whether to move or cancel.`
  const isOwn = operatorReason === null
  const text = `${isOwn ? 'You are' : 'The pro is'} in ${to.city} now, and customers there find ${isOwn ? 'you' : 'the pro'}.${far && ` Farther away:${far}`}`
  const path = isOwn ? PROFILE_PATH : `${VERIFICATION_PATH}/${professionalId}`
  return redirectWithFlash(ctx, by.session, path, { tone: 'good', text })
}

interface Rendered {
  professionalId: string
  formState?: FormState
  plan?: PlannedMove
}

async function renderMove(
  ctx: Ctx,
  by: AuthenticatedRequest,
  { professionalId, formState = EMPTY_FORM, plan }: Rendered,
): Promise<Response> {
  const [region, now] = await Promise.all([getRegion(ctx), getPlaceOfPro(ctx, { professionalId })])
  const isOwn = by.session.role === 'pro'
  const values = { place: now.city, radius: typedDistance.shown(region, now.radiusMiles) }
  const of = moveFormIn(region)
  const typed = ['place', 'isPlaceHidden', 'radius'] as const
  const operatorForm = operatorMoveFormIn(region)
  const fields = isOwn ? (
    <Fields of={of} names={typed} values={values} />
  ) : (
    <Fields
      of={operatorForm}
      names={[...typed, 'reason']}
      values={values}
      more={{
        place: { label: 'Where the pro is' },
        isPlaceHidden: { label: 'Show only the city' },
        radius: { label: `How far the pro comes, ${typedDistance.unit(region)}` },
      }}
    />
  )
  const content = moveView(by.session, {
    form: isOwn ? of : operatorForm,
    fields,
    path: isOwn ? OWN_PATH : `${VERIFICATION_PATH}/${professionalId}/move`,
    back: isOwn ? backTo(PROFILE_PATH, 'Profile') : backTo(`${VERIFICATION_PATH}/${professionalId}`, now.businessName),
    businessName: isOwn ? undefined : now.businessName,
    region,
    formState,
    plan,
  })
  const title = isOwn ? 'Move your business' : `Move ${now.businessName}`
  return renderConsolePage(ctx, by, { title, content }, formStatus(formState))
}

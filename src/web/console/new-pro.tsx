/** @jsxImportSource preact */
// /console/pros/new: an operator creates a pro, whose owner is sent a link to choose a password.
import { type Static, Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'

import { ServedArea } from '../public/served-area.tsx'
import { inviteUser } from '../../auth/users/verbs/users.ts'
import type { Ctx } from '../../ctx.ts'
import type { Deps } from '../../deps.ts'
import { MAX_PLAN_NAME, NO_PLAN } from '../../features/business/plans/schemas.ts'
import { listPlansOnOffer } from '../../features/business/plans/verbs.ts'
import { MAX_RADIUS_MILES } from '../../features/business/pros/schemas.ts'
import { createPro } from '../../features/business/pros/verbs.ts'
import { planInvitation } from '../../features/messages/messages/verbs/user-links.ts'
import { guard } from '../../http/guard.ts'
import type { AuthenticatedRequest } from '../../http/session.ts'
import { getRegion } from '../../features/upkeep/marketplace/verbs.ts'
import { typedDistance } from '../../platform/text/distance.ts'
import { type Region, UNITED_STATES } from '../../platform/text/region.ts'
import { Integer } from '../../platform/schema/numbers.ts'
import { Email, Name, Text } from '../../platform/schema/types.ts'
import { Button } from '../ui/buttons.tsx'
import { Fields, defineForm } from '../ui/define-form.tsx'
import { EMPTY_FORM, Form, formStatus } from '../ui/form.tsx'
import { BackLink, PageHeading } from '../ui/headings.tsx'
import { redirectWithFlash, renderConsolePage } from '../ui/responses.tsx'
import { submitForm } from '../ui/submit.ts'
import { linkFlash } from './users/link-flash.ts'
import { IMPORT_PATH, NEW_PRO_PATH, VERIFICATION_PATH } from './verification/view.tsx'

const session = ['operator'] as const

const OUTSIDE_AREA =
  'Note: the pro is outside your area and does not come to any place of it. Change the place, the distance or the area.'

/** A distance is typed in the unit of the region. */
const newProFormIn = (region: Region) =>
  defineForm({
    businessName: { schema: Name(), label: 'Business' },
    email: {
      schema: Email(),
      label: 'E-mail address of the owner',
      hint: 'A link to choose a password is sent to it.',
    },
    place: {
      schema: Text(200),
      label: 'Where they are',
      hint: 'A city or a ZIP code, with or without the street, or a point of a map: “Columbus, OH”, 43215 or “39.96, -83.00”.',
    },
    radius: {
      schema: Integer({ minimum: 1, maximum: typedDistance.shown(region, MAX_RADIUS_MILES) }),
      label: `How far they come, ${typedDistance.unit(region)}`,
    },
    phone: { schema: Type.Optional(Text(50)), label: 'Phone' },
    plan: {
      schema: Text(MAX_PLAN_NAME, { minLength: 1 }),
      label: 'Plan',
      hint: 'It says how many agent tasks the pro has, and whether the pro may connect an assistant of their own.',
    },
  })

export const NewProForm = newProFormIn(UNITED_STATES)

export const newProPages = (deps: Deps) =>
  new Elysia({ name: 'new-pro-pages' })
    .use(guard(deps))
    .get(
      NEW_PRO_PATH,
      async function getNewProPage({ ctx, authenticated }) {
        return await renderNewPro(ctx, authenticated)
      },
      { session },
    )
    .post(
      NEW_PRO_PATH,
      async function postNewPro({ ctx, authenticated: by }) {
        return await submitForm(
          newProFormIn(await getRegion(ctx)),
          by.form,
          (input) => createAndInvite(ctx, by, input),
          (formState) => renderNewPro(ctx, by, formState),
        )
      },
      { session, form: NewProForm },
    )

/** Creates the pro and the login of its owner, both or none. */
async function createAndInvite(
  ctx: Ctx,
  { session }: AuthenticatedRequest,
  input: Static<typeof NewProForm>,
): Promise<Response> {
  const by = session.userId
  const radius = typedDistance.miles(await getRegion(ctx), input.radius)
  const { pro, login } = await createPro(ctx, {
    ...input,
    radius,
    by,
    createLogin: (ctx, owner) => inviteUser(ctx, { ...owner, by, planMessage: planInvitation }),
  })
  const text = `${input.businessName} has a page. ${login.user.email} was sent a link to choose a password; you may also pass it on. Services, prices and hours are theirs to set: customers find the pro once there is a service.${pro.isOutsideArea ? ` ${OUTSIDE_AREA}` : ''}`
  return redirectWithFlash(ctx, session, `${VERIFICATION_PATH}/${pro.id}`, linkFlash(ctx, text, login.link))
}

async function renderNewPro(ctx: Ctx, by: AuthenticatedRequest, formState = EMPTY_FORM): Promise<Response> {
  const region = await getRegion(ctx)
  const form = newProFormIn(region)
  const plan = (await listPlansOnOffer(ctx)).map(({ id, name }) => ({ value: id, label: name }))
  const content = (
    <>
      <BackLink href={VERIFICATION_PATH}>Verification</BackLink>
      <PageHeading>New pro</PageHeading>
      <p class="hint">
        Many at once? <a href={IMPORT_PATH}>Import a file of pros</a>
      </p>
      <ServedArea />
      <Form of={form} action={NEW_PRO_PATH} session={by.session} formState={formState}>
        <Fields of={form} values={{ radius: typedDistance.shown(region, 25), plan: NO_PLAN }} choices={{ plan }} />
        <Button>Create the pro</Button>
      </Form>
    </>
  )
  return renderConsolePage(ctx, by, { title: 'New pro', content }, formStatus(formState))
}

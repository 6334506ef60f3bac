/** @jsxImportSource preact */
// The opening hours in a pro's settings.
import { Elysia } from 'elysia'
import type { VNode } from 'preact'

import type { Deps } from '../../deps.ts'
import type { BusinessHours } from '../../features/calendar/schedule/schemas.ts'
import { changeSchedule } from '../../features/calendar/schedule/verbs.ts'
import { guard } from '../../http/guard.ts'
import { type AuthenticatedRequest, type Session, actingProOf } from '../../http/session.ts'
import type { FormState } from '../ui/form.tsx'
import { HoursFields, HoursForm, hoursIn } from '../ui/hours-form.tsx'
import { redirect, redirectWithFlash } from '../ui/responses.tsx'
import { submitForm } from '../ui/submit.ts'

export const HOURS_PATH = '/console/settings/hours'

const session = ['pro'] as const

export const hoursPages = (
  deps: Deps,
  render: (by: AuthenticatedRequest, hoursState: FormState) => Promise<Response>,
) =>
  new Elysia({ name: 'hours-pages' })
    .use(guard(deps))
    .get(HOURS_PATH, () => redirect('/console/settings'), { session })
    .post(
      HOURS_PATH,
      async function postHours({ ctx, authenticated: by }) {
        return await submitForm(
          HoursForm,
          by.form,
          async (days) => {
            await changeSchedule(ctx.as(actingProOf(by)), { businessHours: hoursIn(days) })
            return redirectWithFlash(ctx, by.session, '/console/settings', {
              tone: 'good',
              text: 'Your hours are saved.',
            })
          },
          (hoursState) => render(by, hoursState),
        )
      },
      { session, form: HoursForm },
    )

/** The form of the settings. */
export const hoursForm = (session: Session, hours: BusinessHours, formState: FormState): VNode => (
  <HoursFields action={HOURS_PATH} session={session} hours={hours} formState={formState} button="Save hours" />
)

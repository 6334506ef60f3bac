/** @jsxImportSource preact */
// /console/settings: how a pro takes bookings, and the deposit they ask for.
import { Button } from '../ui/buttons.tsx'
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'

import { type Ctx, ctxOf } from '../../ctx.ts'
import type { Deps } from '../../deps.ts'
import { ScheduleChange } from '../../features/calendar/schedule/schemas.ts'
import { changeSchedule, getSchedule } from '../../features/calendar/schedule/verbs.ts'
import { guard } from '../../http/guard.ts'
import { type AuthenticatedRequest, actingProOf } from '../../http/session.ts'
import { Fields, defineForm } from '../ui/define-form.tsx'
import type { Choice } from '../ui/fields.tsx'
import { type FormState, EMPTY_FORM, formStatus, Form } from '../ui/form.tsx'
import { listZones } from '../../features/calendar/time-zones/verbs.ts'
import { SMALL_DEPOSITS, limitHint } from '../../features/booking/bookings/rules/deposits.ts'
import { getDefaults } from '../../features/upkeep/marketplace/verbs.ts'
import { zoneName } from '../../platform/clock/zones.ts'
import { PageHeading, Section } from '../ui/headings.tsx'
import { redirectWithFlash, renderConsolePage } from '../ui/responses.tsx'
import { submitForm } from '../ui/submit.ts'
import { closingHint } from './closing/view.tsx'
import { calendarFeedPages, calendarFeedSection } from './calendar-feeds.tsx'
import { hoursForm, hoursPages } from './hours.tsx'
import { ownStatusPages, ownStatusSection } from './pro-status.tsx'
import { Decimal, Integer } from '../../platform/schema/numbers.ts'

const PATH = '/console/settings'
const session = ['pro'] as const
const { bookingLeadTimeHours, bookingBufferMinutes, defaultSlotMinutes, timezone } =
  Type.Required(ScheduleChange).properties

const DEPOSIT_HINT = `Customers pay it to confirm a booking. ${SMALL_DEPOSITS} Leave empty for no deposit.`

export const SettingsForm = defineForm({
  instantBookingEnabled: { schema: Type.Boolean(), label: 'Customers can book open times' },
  requiresApproval: { schema: Type.Boolean(), label: 'I confirm each booking myself' },
  timezone: {
    schema: timezone,
    label: 'Time zone',
    hint: 'Your hours are in it. Visits that are booked stay at the same moment.',
  },
  bookingLeadTimeHours: {
    schema: bookingLeadTimeHours,
    label: 'Notice before a booking, hours',
    hint: 'From 0 to 720.',
  },
  bookingBufferMinutes: {
    schema: bookingBufferMinutes,
    label: 'Time between bookings, minutes',
    hint: 'From 0 to 240.',
  },
  defaultSlotMinutes: {
    schema: defaultSlotMinutes,
    label: 'Usual length of a booking, minutes',
    hint: 'From 15 to 720, in steps of 5.',
  },
  depositPercentage: {
    schema: Type.Optional(Decimal({ minimum: 0.01, maximum: 100 })),
    label: 'Deposit, % of the price',
    hint: DEPOSIT_HINT,
  },
  reminderHours: {
    schema: Type.Optional(Integer({ minimum: 1, maximum: 168 })),
    label: 'Reminder before a visit, hours',
    hint: 'From 1 to 168. Customers get it by e-mail. Leave empty for no reminder.',
  },
})

export const settingsPages = (deps: Deps) =>
  new Elysia({ name: 'settings-pages' })
    .use(guard(deps))
    .use(calendarFeedPages(deps))
    .use(ownStatusPages(deps))
    .use(hoursPages(deps, (by, hoursState) => renderSettings(ctxOf(deps), by, { hoursState })))
    .get(
      PATH,
      async function getSettings({ ctx, authenticated: by }) {
        return await renderSettings(ctx, by)
      },
      { session },
    )
    .post(
      PATH,
      async function postSettings({ ctx, authenticated: by }) {
        return await submitForm(
          SettingsForm,
          by.form,
          async ({ depositPercentage = null, reminderHours = null, ...settings }) => {
            const deposit = { depositRequired: depositPercentage !== null, depositPercentage }
            await changeSchedule(ctx.as(actingProOf(by)), { ...settings, ...deposit, reminderHours })
            return redirectWithFlash(ctx, by.session, PATH, { tone: 'good', text: 'Your settings are saved.' })
          },
          (formState) => renderSettings(ctx, by, { formState }),
        )
      },
      { session, form: SettingsForm },
    )

async function renderSettings(
  ctx: Ctx,
  by: AuthenticatedRequest,
  { formState = EMPTY_FORM, hoursState = EMPTY_FORM }: { formState?: FormState; hoursState?: FormState } = {},
): Promise<Response> {
  // From the primary: the settings may have been saved a moment ago.
  const { settings } = await getSchedule(ctx.as(actingProOf(by)))
  const limits = limitHint(await getDefaults(ctx))
  const content = (
    <>
      <PageHeading>Booking settings</PageHeading>
      <section id="hours">
        <h2>Your hours</h2>
        <p>
          Customers book within these hours, in {zoneName(settings.timezone)}. To be away for a day or an hour,{' '}
          <a href="/console/calendar#block">block the time</a>.
        </p>
        {hoursForm(by.session, settings.businessHours, hoursState)}
      </section>
      <Section title="How customers book" id="booking">
        <Form of={SettingsForm} action={PATH} isNarrow session={by.session} formState={formState}>
          <Fields
            of={SettingsForm}
            values={settings}
            more={{ depositPercentage: { hint: `${limits} ${DEPOSIT_HINT}`.trim() } }}
            choices={{ timezone: await zoneChoices(ctx, settings.timezone) }}
          />
          <Button>Save settings</Button>
        </Form>
      </Section>
      {await calendarFeedSection(ctx, by)}
      {ownStatusSection(by.session)}
      {closingHint}
    </>
  )
  const status = formStatus(hoursState === EMPTY_FORM ? formState : hoursState)
  return renderConsolePage(ctx, by, { title: 'Booking settings', content, styles: ['console.css'] }, status)
}

/** The zones in use, each under the name of its time, and the pro's own. */
async function zoneChoices(ctx: Ctx, own: string): Promise<Choice[]> {
  const zones = new Set([...(await listZones(ctx)), own])
  return [...zones]
    .map((value) => ({ value, label: `${zoneName(value)} (${value.replaceAll('_', ' ')})` }))
    .sort((one, other) => one.label.localeCompare(other.label))
}

/** @jsxImportSource preact */
// /console/calendars: calendars elsewhere whose events block a pro's time.
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'

import type { Ctx } from '../../ctx.ts'
import type { Deps } from '../../deps.ts'
import {
  type Calendar,
  CalendarParams,
  type ImportedTime,
  MAX_CALENDARS,
  NewCalendar,
} from '../../features/calendar/imported-calendars/schemas.ts'
import {
  addCalendar,
  listCalendars,
  listImportedTimes,
  readCalendarSoon,
  removeCalendar,
} from '../../features/calendar/imported-calendars/verbs/calendars.ts'
import { listTeam } from '../../features/business/members/verbs/team.ts'
import { getSchedule } from '../../features/calendar/schedule/verbs.ts'
import { guard } from '../../http/guard.ts'
import { type AuthenticatedRequest, type Session, actingProOf } from '../../http/session.ts'
import { Uuid } from '../../platform/schema/types.ts'
import { zoneName } from '../../platform/clock/zones.ts'
import { localDateTime, plural, shortSpan } from '../../platform/text/format.ts'
import { Fields, defineForm } from '../ui/define-form.tsx'
import type { Choice } from '../ui/fields.tsx'
import { EMPTY_FORM, ActionButton, formStatus, idempotencyOfForm, Form } from '../ui/form.tsx'
import { Disclosure, Button } from '../ui/buttons.tsx'
import type { VNode } from 'preact'
import { type Tone, Badge } from '../ui/badge.tsx'
import { ButtonRow } from '../ui/buttons.tsx'
import { EmptyState } from '../ui/lists.tsx'
import { PageHeading, Section } from '../ui/headings.tsx'
import { Table } from '../ui/table.tsx'
import { redirectWithFlash, renderConsolePage } from '../ui/responses.tsx'
import { runAction, submitForm } from '../ui/submit.ts'

const PATH = '/console/calendars'
const session = ['pro'] as const

const CalendarForm = defineForm({
  name: { schema: NewCalendar.properties.name, label: 'Name' },
  url: {
    schema: NewCalendar.properties.url,
    label: 'Secret address',
    hint: 'In iCal format. Google: Settings of the calendar, “Secret address in iCal format”. Outlook: Shared calendars, “Publish a calendar”, ICS. iCloud: “Public Calendar”. Keep it to yourself.',
  },
  memberId: { schema: Type.Optional(Uuid()), label: 'Whose calendar it is' },
})

/** How much blocked time the page shows. */
const SHOWN = { days: 30, limit: 100 }

export const calendarPages = (deps: Deps) =>
  new Elysia({ name: 'calendar-pages' })
    .use(guard(deps))
    .get(
      PATH,
      async function getCalendarsPage({ ctx, authenticated: by }) {
        return await renderCalendars(ctx, by)
      },
      { session },
    )
    .post(
      PATH,
      async function postCalendarForm({ ctx, authenticated: by }) {
        return await submitForm(
          CalendarForm,
          by.form,
          async (input) => {
            await addCalendar(ctx.as(actingProOf(by), idempotencyOfForm(by.form)), input)
            const text = 'The calendar is added. Its events block your time as soon as it is read.'
            return redirectWithFlash(ctx, by.session, PATH, { tone: 'good', text })
          },
          (formState) => renderCalendars(ctx, by, formState),
        )
      },
      { session, form: CalendarForm },
    )
    .post(
      `${PATH}/:id/read`,
      async function postReading({ ctx, authenticated: by, params: { id } }) {
        return await runAction(ctx, by, PATH, async () =>
          (await readCalendarSoon(ctx.as(actingProOf(by)), { id }))
            ? 'The calendar is being read.'
            : 'The calendar was read a moment ago.',
        )
      },
      { session, params: CalendarParams },
    )
    .post(
      `${PATH}/:id/delete`,
      async function postCalendarRemoval({ ctx, authenticated: by, params: { id } }) {
        return await runAction(ctx, by, PATH, async () => {
          await removeCalendar(ctx.as(actingProOf(by)), { id })
          return 'The calendar is removed. The time that it blocked is free.'
        })
      },
      { session, params: CalendarParams },
    )

async function renderCalendars(ctx: Ctx, by: AuthenticatedRequest, formState = EMPTY_FORM): Promise<Response> {
  const pro = actingProOf(by)
  const [{ calendars }, times, { members }, { settings }] = await Promise.all([
    listCalendars(ctx.as(pro)),
    listImportedTimes(ctx.as(pro), SHOWN),
    listTeam(ctx.as(pro), { limit: 50 }),
    getSchedule(ctx.as(pro)),
  ])
  const team = members.map(({ id, name }) => ({ value: id, label: name }))
  const content = (
    <>
      <PageHeading>Connected calendars</PageHeading>
      <p class="lead">
        Events in the calendars that you add here block your time: customers cannot book it. We read each calendar every
        five minutes after a change, less often while nothing changes, and cancels no booking.
      </p>
      {calendars.length === 0 ? (
        <EmptyState title="No calendars">Add the secret address of a Google, Outlook or iCloud calendar.</EmptyState>
      ) : (
        <Table
          caption="Calendars"
          columns={['Calendar', 'Whose', 'State', 'Events', 'Next reading', '']}
          rows={calendars.map((calendar) => rowOf(by.session, calendar, team, settings.timezone))}
        />
      )}
      {calendars.length < MAX_CALENDARS && (
        <Disclosure label="Add a calendar" isOpen={formState !== EMPTY_FORM || calendars.length === 0}>
          {newCalendarForm(by.session, team, formState)}
        </Disclosure>
      )}
      {times.length > 0 && (
        <Section title={`Blocked in the next ${SHOWN.days} days`}>
          {blockedTimes(times, calendars, settings.timezone)}
        </Section>
      )}
    </>
  )
  return renderConsolePage(ctx, by, { title: 'Connected calendars', content }, formStatus(formState))
}

const STATES: Record<Calendar['status'], { label: string; tone: Tone }> = {
  waiting: { label: 'Not read yet', tone: 'wait' },
  working: { label: 'Working', tone: 'good' },
  failing: { label: 'Failing', tone: 'bad' },
}

const rowOf = (by: Session, calendar: Calendar, team: readonly Choice[], timeZone: string) => [
  <div>
    {calendar.name}
    <br />
    <span class="hint">{calendar.address}</span>
  </div>,
  team.find(({ value }) => value === calendar.memberId)?.label ?? 'The business',
  stateOf(calendar, timeZone),
  <div>
    {plural(calendar.eventCount, 'event')}{' '}
    {calendar.unreadableEventCount > 0 && (
      <>
        <br />
        <span class="hint">
          {plural(calendar.unreadableEventCount, 'event')} not understood: block the time yourself
        </span>
      </>
    )}
  </div>,
  localDateTime(calendar.nextReadAt, timeZone),
  <ButtonRow>
    <ActionButton session={by} action={`${PATH}/${calendar.id}/read`} label="Read now" />
    <Disclosure label="Remove">
      <ActionButton session={by} action={`${PATH}/${calendar.id}/delete`} label="Remove calendar" look="danger" />
    </Disclosure>
  </ButtonRow>,
]

const stateOf = ({ status, lastError, lastReadAt }: Calendar, timeZone: string): VNode => (
  <div>
    <Badge tone={STATES[status].tone}>{STATES[status].label}</Badge>{' '}
    {lastError !== null && (
      <>
        <br />
        <span class="hint">{lastError}</span>
      </>
    )}{' '}
    {lastReadAt !== null && (
      <>
        <br />
        <span class="hint">
          Last read {localDateTime(lastReadAt, timeZone)}
          {status === 'failing' && '; what was read then still counts'}
        </span>
      </>
    )}
  </div>
)

const newCalendarForm = (by: Session, team: readonly Choice[], formState: typeof EMPTY_FORM): VNode => (
  <Form of={CalendarForm} action={PATH} isNarrow session={by} formState={formState}>
    <Fields of={CalendarForm} names={['name', 'url']} />
    {team.length > 0 && (
      <Fields
        of={CalendarForm}
        names={['memberId']}
        choices={{ memberId: [{ value: '', label: 'The business' }, ...team] }}
      />
    )}
    <Button>Add calendar</Button>
  </Form>
)

function blockedTimes(times: readonly ImportedTime[], calendars: readonly Calendar[], timeZone: string): VNode {
  const names = new Map(calendars.map(({ id, name }) => [id, name]))
  return (
    <>
      <Table
        caption="Blocked time"
        columns={['When', 'Calendar']}
        rows={times.map(({ calendarId, startsAt, endsAt }) => [
          shortSpan(startsAt, endsAt, timeZone),
          names.get(calendarId) ?? '–',
        ])}
      />
      <p class="hint">In {zoneName(timeZone)}.</p>
    </>
  )
}

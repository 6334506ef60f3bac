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
import { listTeam } from '../../features/business/members/verbs.ts'
import { getSchedule } from '../../features/calendar/schedule/verbs.ts'
import { guard } from '../../http/guard.ts'
import { type AuthenticatedRequest, type Session, actingProOf } from '../../http/session.ts'
import { Uuid } from '../../platform/schema/types.ts'
import { zoneName } from '../../platform/clock/zones.ts'
import { localDateTime, plural, shortSpan } from '../../platform/text/format.ts'
import {
  type Choice,
  EMPTY_FORM,
  actionButton,
  csrfField,
  disclosure,
  formStatus,
  idempotencyOfForm,
  problemBox,
  selectField,
  textField,
} from '../ui/forms.ts'
import { type Html, html } from '../../platform/text/html.ts'
import { type Tone, badge, buttonRow, emptyState, pageHeading, section, table } from '../ui/parts.ts'
import { redirectWithFlash, renderConsolePage } from '../ui/responses.ts'
import { runAction, submitForm } from '../ui/submit.ts'

const PATH = '/console/calendars'
const session = ['pro'] as const

const CalendarForm = Type.Object({
  name: NewCalendar.properties.name,
  url: NewCalendar.properties.url,
  memberId: Type.Optional(Uuid()),
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
  const content = html`
    ${pageHeading('Connected calendars')}
    <p class="lead">
      Events in the calendars that you add here block your time: customers cannot book it. Hearth reads each calendar
      every five minutes after a change, less often while nothing changes, and cancels no booking.
    </p>
    ${
      calendars.length === 0
        ? emptyState('No calendars', 'Add the secret address of a Google, Outlook or iCloud calendar.')
        : table(
            'Calendars',
            ['Calendar', 'Whose', 'State', 'Events', 'Next reading', ''],
            calendars.map((calendar) => rowOf(by.session, calendar, team, settings.timezone)),
          )
    }
    ${
      calendars.length < MAX_CALENDARS &&
      disclosure('Add a calendar', newCalendarForm(by.session, team, formState), {
        isOpen: formState !== EMPTY_FORM || calendars.length === 0,
      })
    }
    ${times.length > 0 && section(`Blocked in the next ${SHOWN.days} days`, blockedTimes(times, calendars, settings.timezone))}
  `
  return renderConsolePage(ctx, by, { title: 'Connected calendars', content }, formStatus(formState))
}

const STATES: Record<Calendar['status'], { label: string; tone: Tone }> = {
  waiting: { label: 'Not read yet', tone: 'wait' },
  working: { label: 'Working', tone: 'good' },
  failing: { label: 'Failing', tone: 'bad' },
}

const rowOf = (by: Session, calendar: Calendar, team: readonly Choice[], timeZone: string) => [
  html`<div>${calendar.name}<br /><span class="hint">${calendar.address}</span></div>`,
  team.find(({ value }) => value === calendar.memberId)?.label ?? 'The business',
  stateOf(calendar, timeZone),
  html`<div>
    ${plural(calendar.eventCount, 'event')}
    ${
      calendar.unreadableEventCount > 0 &&
      html`<br /><span class="hint"
          >${plural(calendar.unreadableEventCount, 'event')} not understood: block the time yourself</span
        >`
    }
  </div>`,
  localDateTime(calendar.nextReadAt, timeZone),
  buttonRow(html`
    ${actionButton(by, { action: `${PATH}/${calendar.id}/read`, label: 'Read now' })}
    ${disclosure('Remove', actionButton(by, { action: `${PATH}/${calendar.id}/delete`, label: 'Remove calendar', tone: 'danger' }))}
  `),
]

const stateOf = ({ status, lastError, lastReadAt }: Calendar, timeZone: string): Html =>
  html`<div>
    ${badge(STATES[status].label, STATES[status].tone)}
    ${lastError !== null && html`<br /><span class="hint">${lastError}</span>`}
    ${
      lastReadAt !== null &&
      html`<br /><span class="hint"
          >Last read
          ${localDateTime(lastReadAt, timeZone)}${status === 'failing' && '; what was read then still counts'}</span
        >`
    }
  </div>`

const newCalendarForm = (by: Session, team: readonly Choice[], formState: typeof EMPTY_FORM): Html =>
  html`<form method="post" action="${PATH}" class="narrow-form">
    ${csrfField(by)} ${problemBox(formState)} ${textField({ name: 'name', label: 'Name', maxLength: 200, formState })}
    ${textField({
      name: 'url',
      label: 'Secret address',
      hint: 'In iCal format. Google: Settings of the calendar, “Secret address in iCal format”. Outlook: Shared calendars, “Publish a calendar”, ICS. iCloud: “Public Calendar”. Keep it to yourself.',
      maxLength: 2048,
      formState,
    })}
    ${
      team.length > 0 &&
      selectField({
        name: 'memberId',
        label: 'Whose calendar it is',
        isOptional: true,
        choices: [{ value: '', label: 'The business' }, ...team],
        formState,
      })
    }
    <button>Add calendar</button>
  </form>`

function blockedTimes(times: readonly ImportedTime[], calendars: readonly Calendar[], timeZone: string): Html {
  const names = new Map(calendars.map(({ id, name }) => [id, name]))
  return html`
    ${table(
      'Blocked time',
      ['When', 'Calendar'],
      times.map(({ calendarId, startsAt, endsAt }) => [
        shortSpan(startsAt, endsAt, timeZone),
        names.get(calendarId) ?? '–',
      ]),
    )}
    <p class="hint">In ${zoneName(timeZone)}.</p>
  `
}

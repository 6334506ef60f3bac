// /console/calendar: a pro's week, with visits, blocked and busy time; time is blocked and freed here.
import { type Static, Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'

import type { Ctx } from '../../../ctx.ts'
import type { Deps } from '../../../deps.ts'
import { listVisits } from '../../../features/booking/bookings/verbs/pro-lists.ts'
import { listCalendars, listImportedTimes } from '../../../features/calendar/imported-calendars/verbs/calendars.ts'
import { BlockParams } from '../../../features/calendar/schedule/schemas.ts'
import { type LocalBlock, blockLocalTime, deleteBlock, getSchedule } from '../../../features/calendar/schedule/verbs.ts'
import { guard } from '../../../http/guard.ts'
import { type AuthenticatedRequest, actingProOf } from '../../../http/session.ts'
import { addDays, localClock, localDate, minuteOfDay } from '../../../platform/clock/dates.ts'
import { CalendarDate } from '../../../platform/schema/types.ts'
import { plural } from '../../../platform/text/format.ts'
import type { Flash } from '../../ui/flash.tsx'
import { EMPTY_FORM, formStatus, idempotencyOfForm } from '../../ui/form.tsx'
import { redirect, redirectWithFlash, renderConsolePage } from '../../ui/responses.tsx'
import { runAction, submitForm } from '../../ui/submit.ts'
import { agendaDays, blockedTime, importedTime, isCalendarYear, mondayOf } from './days.ts'
import { BlockForm, CALENDAR_PATH as PATH, weekView } from './view.tsx'

const session = ['pro'] as const

export const calendarWeekPages = (deps: Deps) =>
  new Elysia({ name: 'calendar-week-pages' })
    .use(guard(deps))
    .get(
      PATH,
      async function getWeek({ ctx, authenticated: by, query }) {
        return await renderWeek(ctx, by, query.week)
      },
      { session, query: Type.Object({ week: Type.Optional(CalendarDate()) }) },
    )
    .get(`${PATH}/blocks`, () => redirect(PATH), { session })
    .post(
      `${PATH}/blocks`,
      async function postBlockForm({ ctx, authenticated: by }) {
        return await submitForm(
          BlockForm,
          by.form,
          async (input) => {
            const value = await blockLocalTime(ctx.as(actingProOf(by), idempotencyOfForm(by.form)), blockOf(input))
            const week = `${PATH}?week=${mondayOf(input.fromDate)}`
            return redirectWithFlash(ctx, by.session, week, blockedFlash(value.bookingsWithin.length))
          },
          (formState) => renderWeek(ctx, by, undefined, formState),
        )
      },
      { session, form: BlockForm },
    )
    .post(
      `${PATH}/blocks/:id/delete`,
      async function postBlockRemoval({ ctx, authenticated: by, params: { id } }) {
        return await runAction(ctx, by, PATH, async () => {
          await deleteBlock(ctx.as(actingProOf(by)), { id })
          return 'The time is free again.'
        })
      },
      { session, params: BlockParams },
    )

/** Whole days without times. An end at midnight is the end of the last day. */
function blockOf({ fromDate, toDate = fromDate, fromTime, toTime, reason }: Static<typeof BlockForm>): LocalBlock {
  const start = { date: fromDate, minute: fromTime === undefined ? 0 : minuteOfDay(fromTime) }
  const end = { date: toDate, minute: (toTime === undefined ? 0 : minuteOfDay(toTime)) || 1440 }
  return { start, end, reason: reason ?? null }
}

const blockedFlash = (bookings: number): Flash => ({
  tone: 'good',
  text:
    bookings === 0
      ? 'The time is blocked.'
      : `The time is blocked. You have ${plural(bookings, 'booking')} in it: move or cancel them if you cannot come.`,
})

async function renderWeek(
  ctx: Ctx,
  by: AuthenticatedRequest,
  date: string | undefined,
  formState = EMPTY_FORM,
): Promise<Response> {
  const pro = actingProOf(by)
  const { settings, blocks } = await getSchedule(ctx.as(pro))
  const today = localDate(ctx.clock.now(), settings.timezone)
  const now = minuteOfDay(localClock(ctx.clock.now(), settings.timezone))
  const monday = mondayOf(date !== undefined && isCalendarYear(date) ? date : today)
  // One day more on each side, because the instant is midnight in UTC.
  const shown = { from: new Date(addDays(monday, -1)), days: 9, limit: 200 }
  const [visits, times, { calendars }] = await Promise.all([
    listVisits(ctx.as(pro), { from: monday, days: 7 }),
    listImportedTimes(ctx.as(pro), shown),
    listCalendars(ctx.as(pro)),
  ])
  const names = new Map(calendars.map(({ id, name }) => [id, name]))
  // A worker sees when the business is closed, but not why, and no calendars of others.
  const busy =
    pro.onlyMemberId === null
      ? [
          ...blocks.map(blockedTime),
          ...times.map((time) => importedTime(time, names.get(time.calendarId) ?? 'a connected calendar')),
        ]
      : blocks.map((block) => blockedTime({ ...block, reason: null }))
  const dates = Array.from({ length: 7 }, (_, day) => addDays(monday, day))
  const week = { days: agendaDays(dates, visits, busy, settings), today, now, settings, blocks }
  const content = weekView(by.session, week, { formState, idempotencyKey: ctx.ids.uuid() })
  return renderConsolePage(
    ctx,
    by,
    { title: 'Calendar', content, styles: ['console.css', 'hour-grid.css'] },
    formStatus(formState),
  )
}

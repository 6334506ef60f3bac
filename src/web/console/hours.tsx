/** @jsxImportSource preact */
// The opening hours in a pro's settings: up to four spans a day, each of two times, without scripts.
import { Button } from '../ui/buttons.tsx'
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'

import type { Deps } from '../../deps.ts'
import { type BusinessHours, WEEKDAYS } from '../../features/calendar/schedule/schemas.ts'
import { changeSchedule } from '../../features/calendar/schedule/verbs.ts'
import type { FieldErrors } from '../../http/form.ts'
import { guard } from '../../http/guard.ts'
import { type AuthenticatedRequest, type Session, actingProOf } from '../../http/session.ts'
import { Text } from '../../platform/schema/types.ts'
import type { VNode } from 'preact'
import { type FormState, Form } from '../ui/form.tsx'
import { redirect, redirectWithFlash } from '../ui/responses.tsx'

export const HOURS_PATH = '/console/settings/hours'

const session = ['pro'] as const

const SPANS = [0, 1, 2, 3] as const

type Weekday = (typeof WEEKDAYS)[number]
type Span = { start: string; end: string }

/** Each day's times in turn: from, to, from, to, … An empty pair is no span. */
const times = Type.Optional(Type.Array(Text(5), { maxItems: 2 * SPANS.length }))
export const HoursForm = Type.Object({
  monday: times,
  tuesday: times,
  wednesday: times,
  thursday: times,
  friday: times,
  saturday: times,
  sunday: times,
})

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
        const { hours, errors } = readHours(by.form)
        if (Object.keys(errors).length > 0) return await render(by, { values: by.form, errors })
        await changeSchedule(ctx.as(actingProOf(by)), { businessHours: hours })
        return redirectWithFlash(ctx, by.session, '/console/settings', { tone: 'good', text: 'Your hours are saved.' })
      },
      { session, form: HoursForm },
    )

/** The hours of the form, and an error for each day whose hours are not right. Spans may be in any order. */
function readHours(form: URLSearchParams): { hours: BusinessHours; errors: FieldErrors } {
  const days = WEEKDAYS.map((day) => [day, readDay(form.getAll(day))] as const)
  return {
    hours: Object.fromEntries(days.map(([day, read]) => [day, typeof read === 'string' ? [] : read])),
    errors: Object.fromEntries(days.flatMap(([day, read]) => (typeof read === 'string' ? [[day, read]] : []))),
  }
}

/** The spans of a day, or what is wrong with them. */
function readDay(fields: readonly string[]): Span[] | string {
  const spans = SPANS.map((span) => ({
    start: (fields[2 * span] ?? '').trim(),
    end: (fields[2 * span + 1] ?? '').trim(),
  }))
    .filter(({ start, end }) => start !== '' || end !== '')
    // An end at midnight is the end of the day.
    .map(({ start, end }) => ({ start, end: end === '00:00' ? '24:00' : end }))
    .toSorted((a, b) => a.start.localeCompare(b.start))
  if (spans.some(({ start, end }) => !isTime(start) || !(isTime(end) || end === '24:00')))
    return 'enter both times of each span, such as 9:00 AM to 5:00 PM'
  if (spans.some(({ start, end }) => end <= start)) return 'each span must end after it starts'
  if (spans.some(({ start }, index) => start < (spans[index - 1]?.end ?? ''))) return 'the spans must not overlap'
  return spans
}

const isTime = (text: string) => /^([01]\d|2[0-3]):[0-5]\d$/.test(text)

/** The form. What was typed is shown again after an error. */
export const hoursForm = (session: Session, hours: BusinessHours, { values, errors }: FormState): VNode => (
  <Form action={HOURS_PATH} isNarrow session={session}>
    <p class="hint">Leave a day empty when you are closed. For midnight, enter 12:00 AM.</p>
    {WEEKDAYS.map((day) =>
      dayFields(day, values.has(day) ? values.getAll(day) : timesOf(hours[day] ?? []), errors[day]),
    )}
    <Button>Save hours</Button>
  </Form>
)

const timesOf = (spans: readonly Span[]) => spans.flatMap(({ start, end }) => [start, end === '24:00' ? '00:00' : end])

function dayFields(day: Weekday, times: readonly string[], error: string | undefined): VNode {
  const label = `${day.charAt(0).toUpperCase()}${day.slice(1)}`
  const pair = (span: number) => {
    const input = (end: 0 | 1, name: string) => (
      <input
        type="time"
        name={day}
        aria-label={`${label}, ${name}${span > 0 ? ` of span ${span + 1}` : ''}`}
        value={times[2 * span + end] ?? ''}
        aria-invalid={error !== undefined ? 'true' : undefined}
        aria-describedby={error !== undefined ? `${day}-error` : undefined}
      />
    )
    return (
      <div class="pair">
        {input(0, 'from')} <span>to</span> {input(1, 'to')}
      </div>
    )
  }
  const hasMore = times.slice(2).some((time) => time !== '')
  return (
    <fieldset class="hours">
      <legend>{label}</legend>
      {pair(0)}
      <details open={hasMore}>
        <summary>More hours on {label}</summary>
        {pair(1)}
        {pair(2)}
        {pair(3)}
      </details>
      {error !== undefined && (
        <p class="fault" id={`${day}-error`}>
          {error.charAt(0).toUpperCase()}
          {error.slice(1)}.
        </p>
      )}
    </fieldset>
  )
}

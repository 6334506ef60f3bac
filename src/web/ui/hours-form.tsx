/** @jsxImportSource preact */
// A form of opening hours: up to four spans a day, each of two times, without scripts.
import { type Static, Type } from '@sinclair/typebox'
import type { VNode } from 'preact'

import { type BusinessHours, WEEKDAYS } from '../../features/calendar/schedule/schemas.ts'
import { Text } from '../../platform/schema/types.ts'
import { Button } from './buttons.tsx'
import { defineForm } from './define-form.tsx'
import { FieldGroup } from './fields.tsx'
import { Form, type FormState, type WithCsrfToken, isFilledIn } from './form.tsx'

const SPANS = [0, 1, 2, 3] as const

type Weekday = (typeof WEEKDAYS)[number]
type Span = { start: string; end: string }

/** Each day's times in turn: from, to, from, to, … An empty pair is no span. */
const times = Type.Optional(Type.Array(Text(5), { maxItems: 2 * SPANS.length }))
const dayOf = (label: string) => ({ schema: times, label })

export const HoursForm = defineForm(
  {
    monday: dayOf('Monday'),
    tuesday: dayOf('Tuesday'),
    wednesday: dayOf('Wednesday'),
    thursday: dayOf('Thursday'),
    friday: dayOf('Friday'),
    saturday: dayOf('Saturday'),
    sunday: dayOf('Sunday'),
  },
  (days) => Object.fromEntries(WEEKDAYS.map((day) => [day, errorIn(spansOf(days[day]))])),
)

/** What was entered, also for the days on which the pro is closed. */
export const hoursIn = (days: Static<typeof HoursForm>): BusinessHours =>
  Object.fromEntries(WEEKDAYS.map((day) => [day, spansOf(days[day])]))

/** The spans of a day, which may be entered in any order. */
const spansOf = (fields: readonly string[] = []): Span[] =>
  SPANS.map((span) => ({ start: fields[2 * span] ?? '', end: fields[2 * span + 1] ?? '' }))
    .filter(({ start, end }) => start !== '' || end !== '')
    // An end at midnight is the end of the day.
    .map(({ start, end }) => ({ start, end: end === '00:00' ? '24:00' : end }))
    .toSorted((a, b) => a.start.localeCompare(b.start))

/** What is wrong with the spans of a day. */
function errorIn(spans: readonly Span[]): string | undefined {
  if (spans.some(({ start, end }) => !isTime(start) || !(isTime(end) || end === '24:00')))
    return 'enter both times of each span, such as 9:00 AM to 5:00 PM'
  if (spans.some(({ start, end }) => end <= start)) return 'each span must end after it starts'
  if (spans.some(({ start }, index) => start < (spans[index - 1]?.end ?? ''))) return 'the spans must not overlap'
  return undefined
}

const isTime = (text: string) => /^([01]\d|2[0-3]):[0-5]\d$/.test(text)

/** The form. What was typed is shown again after an error. */
export const HoursFields = ({
  action,
  session,
  hours,
  formState,
  button,
}: {
  action: string
  session: WithCsrfToken
  hours: BusinessHours
  formState: FormState
  button: string
}): VNode => (
  <Form of={HoursForm} action={action} isNarrow session={session} formState={formState}>
    <p class="hint">Leave a day empty when you are closed. For midnight, enter 12:00 AM.</p>
    {WEEKDAYS.map((day) =>
      dayFields(day, isFilledIn(formState) ? formState.values.getAll(day) : timesOf(hours[day] ?? [])),
    )}
    <Button>{button}</Button>
  </Form>
)

const timesOf = (spans: readonly Span[]) => spans.flatMap(({ start, end }) => [start, end === '24:00' ? '00:00' : end])

function dayFields(day: Weekday, times: readonly string[]): VNode {
  const { label } = HoursForm.fields[day]
  const pair = (span: number) => {
    const input = (end: 0 | 1, name: string) => (
      <input
        type="time"
        name={day}
        aria-label={`${label}, ${name}${span > 0 ? ` of span ${span + 1}` : ''}`}
        value={times[2 * span + end] ?? ''}
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
    <FieldGroup name={day} label={label} look="hours">
      {pair(0)}
      <details open={hasMore}>
        <summary>More hours on {label}</summary>
        {pair(1)}
        {pair(2)}
        {pair(3)}
      </details>
    </FieldGroup>
  )
}

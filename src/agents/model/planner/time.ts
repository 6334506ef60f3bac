// The pro's time: a brief for a day, bookings, what is still open.
import { type Recipe, counted, listIn, textIn, use } from './recipe.ts'

interface OpenDay {
  date: string
  starts: string[]
}
interface Booked {
  status: string
  scheduledDate: string
  scheduledTime: string
  service: { name: string }
}

const DAY_MS = 86_400_000

export const planDay: Recipe = function* ({ goal, report }) {
  const date = /\btomorrow\b/i.test(goal) ? yield* tomorrow() : undefined
  const brief = yield* use('prepare_day_brief', date === undefined ? {} : { date })
  if (brief.isError) return void report.push(`The day could not be read: ${brief.line}`)
  report.push(...briefLines(brief.data))
}

/** The day after today on the pro's own calendar, which the first of the open days is. */
function* tomorrow() {
  const [today] = listIn<OpenDay>(yield* use('get_availability', { days: 1 }), 'openTimes')
  return today && new Date(Date.parse(today.date) + DAY_MS).toISOString().slice(0, 10)
}

function briefLines(data: Record<string, unknown>): string[] {
  const text = textIn(data['brief'], 'text') ?? textIn(data['brief'], 'summary')
  return [text ?? 'The brief is ready.']
}

export const tellBookings: Recipe = function* ({ report }) {
  for (const status of ['pending', 'confirmed']) {
    const seen = yield* use('list_bookings', { status, limit: 10 })
    if (seen.isError) report.push(`The bookings could not be read: ${seen.line}`)
    const bookings = listIn<Booked>(seen, 'bookings')
    report.push(`${counted(bookings.length, `${status} booking`)} among the latest.`)
    for (const { service, scheduledDate, scheduledTime } of bookings)
      report.push(`- ${scheduledDate} ${scheduledTime}, ${service.name}`)
  }
}

export const tellFreeTimes: Recipe = function* ({ report }) {
  const seen = yield* use('get_availability', { days: 7 })
  if (seen.isError) return void report.push(`The open times could not be read: ${seen.line}`)
  for (const { date, starts } of listIn<OpenDay>(seen, 'openTimes'))
    report.push(starts.length === 0 ? `${date}: nothing is open.` : `${date}: ${starts.join(', ')}`)
}

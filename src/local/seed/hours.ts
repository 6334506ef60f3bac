// The business hours of demo pros.

/** One interval of a day, in minutes after local midnight. */
export interface Opening {
  start: number
  end: number
}

/** Hours from Sunday (0) to Saturday (6), and the JSON text that the database stores. */
export interface Hours {
  days: readonly (readonly Opening[])[]
  json: string
  /** The longest interval of the week. */
  longestMinutes: number
}

const dayNames = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const

const clock = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`

const readDay = (text: string): Opening[] =>
  text
    .split(' ')
    .filter(Boolean)
    .map((opening) => {
      const [start = 0, end = 0] = opening.split('-').map((time) => {
        const [hour = 0, minute = 0] = time.split(':').map(Number)
        return hour * 60 + minute
      })
      return { start, end }
    })

/** Builds hours from the intervals of a weekday, a Saturday and a Sunday. `closed` lists closed weekdays (1 is Monday). */
const week = (weekday: string, saturday = '', sunday = '', closed: readonly number[] = []): Hours =>
  hoursOf(
    [sunday, weekday, weekday, weekday, weekday, weekday, saturday].map((text, day) =>
      closed.includes(day) ? [] : readDay(text),
    ),
  )

const hoursOf = (days: Hours['days']): Hours => {
  const named = [1, 2, 3, 4, 5, 6, 0].map((day) => [
    dayNames[day],
    days[day]?.map(({ start, end }) => ({ start: clock(start), end: clock(end) })),
  ])
  const longestMinutes = Math.max(...days.flat().map(({ start, end }) => end - start))
  return { days, json: JSON.stringify(Object.fromEntries(named)), longestMinutes }
}

/** Typical weeks, with weights. */
export const hourPatterns: readonly (readonly [Hours, number])[] = [
  [week('8-17'), 24],
  [week('9-17'), 9],
  [week('7-16'), 8],
  [week('7:30-16:30'), 4],
  [week('8-18'), 6],
  [week('8-17', '9-13'), 10],
  [week('8-18', '8-14'), 8],
  [week('9-18', '10-16'), 4],
  [week('8-12 13-17'), 7],
  [week('8-12 13-17', '9-12'), 4],
  [week('7-11:30 12:30-18'), 2],
  [week('8-20', '8-20', '8-20'), 3],
  [week('9-19', '9-17', '11-16'), 3],
  [week('0-24', '0-24', '0-24'), 4],
  [week('16-21', '9-17'), 2],
  [week('8-12 17-20:30', '9-15'), 1],
  [week('8-17', '8-17', '', [1]), 2],
  [week('7-17:30', '', '', [5]), 2],
]

const withoutBreak = new Map(
  hourPatterns.map(([hours]) => [
    hours,
    hoursOf(hours.days.map((day) => day.slice(0, 1).map(({ start }) => ({ start, end: day.at(-1)?.end ?? start })))),
  ]),
)

/** The hours, without their breaks when no interval is at least `minutes` long. */
export const hoursFitting = (hours: Hours, minutes: number): Hours =>
  hours.longestMinutes >= minutes ? hours : (withoutBreak.get(hours) ?? hours)

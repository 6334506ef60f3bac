// Reads the calendars that pros import. PostgreSQL holds what is due: any number of processes claim one calendar at a time.
import {
  CALENDAR_ACTOR,
  closeReader,
  readNextCalendar,
  readingBacklog,
} from '../../src/features/calendar/imported-calendars/verbs/read-calendar.ts'
import { registerGauges } from '../runtime/actor-metrics.ts'
import { type PeriodicTask, defineActor } from '../runtime/actor.ts'
import { runActor } from '../runtime/process.ts'

/**
 * Calendars that a process reads at once. Most of the time is spent waiting for servers; the CPU time is spent in other
 * processes.
 */
const READERS = 16

const readings = { changed: 0, unchanged: 0, failed: 0, superseded: 0 }

const reader = (number: number): PeriodicTask => ({
  name: `read-${number}`,
  everyMs: 10_000,
  wakeOn: 'calendars_due',
  due: 'calendars',
  // A single reader looks for due calendars when none was announced.
  ...(number > 1 ? { longestRestMs: Infinity } : {}),
  run: async ({ ctx, log }) => {
    const outcome = await readNextCalendar(ctx)
    if (outcome === undefined) return 'nothing'
    readings[outcome]++
    log.debug({ outcome }, 'read a calendar')
    return true
  },
})

export const syncCalendars = defineActor({
  name: CALENDAR_ACTOR,
  open: (context) => {
    registerGauges(context, () => readingBacklog(context.ctx), {
      calendars: ['hearth_calendars_imported', 'Imported calendars'],
      failing: ['hearth_calendars_failing', 'Imported calendars that could not be read the last time'],
      overdueSeconds: ['hearth_calendars_overdue_seconds', 'How long the first calendar has been due'],
    })
    for (const outcome of ['changed', 'unchanged', 'failed', 'superseded'] as const)
      context.metrics.counter(
        'hearth_calendar_readings_total',
        'Readings of imported calendars by this process, by outcome',
        () => readings[outcome],
        { outcome },
      )
  },
  close: ({ ctx }) => Promise.resolve(closeReader(ctx)),
  periodic: Array.from({ length: READERS }, (_, index) => reader(index + 1)),
})

if (import.meta.main) await runActor(syncCalendars)

// Reads imported calendars that are due: downloads, expands, saves. Any number of processes may do so at once.
import { createHash } from 'node:crypto'

import type { Ctx, TxCtx } from '../../../../ctx.ts'
import { oncePerDeps } from '../../../../deps.ts'
import { openIsolatedReader } from '../../../../platform/ics/isolated-reader.ts'
import { zoneNamesIn } from '../../../../platform/ics/zones.ts'
import { planMessage } from '../../../messages/messages/verbs/plan-message.ts'
import { addNotice } from '../../../messages/notices/verbs.ts'
import { emitAvailabilityUpdated } from '../../schedule/verbs.ts'
import { zonesThatDiffer } from '../../time-zones/verbs.ts'
import { lockSchedule } from '../queries/calendars.sql.ts'
import {
  type ClaimedCalendar,
  type Conflict,
  type Expansion,
  type Reading,
  findReadingBacklog,
  insertConflicts,
  replaceBusy,
  updateFailed,
  updateRead,
} from '../queries/readings.ts'
import { claimCalendar, endTurn, updateChanged } from '../queries/readings.sql.ts'
import { DOWNLOAD_LIMIT_MS, download } from './download.ts'

/** The actor that reads calendars. */
export const CALENDAR_ACTOR = 'sync-calendars'

/** The shortest pause between two readings, right after a change, and the longest, after days without one. */
const READ_EVERY_MS = 5 * 60_000
const LONGEST_WAIT_MS = 6 * 3_600_000
/** A calendar without a change for a time rests for one twelfth of it: after 12 hours it is read every hour. */
const REST_SHARE = 12
/** Varies the pauses, so that calendars that were added together are not always read together. */
const JITTER = 0.1
const LONGEST_BACKOFF_MS = 6 * 3_600_000
/** When the claim of a process that died expires: long after a download, and after waiting behind other calendars. */
const CLAIM_MS = 6 * DOWNLOAD_LIMIT_MS
/** A calendar takes at most this part of the CPU: one that took five seconds is read again after 42 minutes. */
const CPU_SHARE = 1 / 500
const TELL_AFTER_MS = 86_400_000
const DAY_MS = 86_400_000
/** Bookings reach a year ahead. The rest is for calendars that cannot be read for some weeks. */
const HORIZON_DAYS = 400

export type ReadingOutcome = 'changed' | 'unchanged' | 'failed' | 'superseded'

const readerOf = oncePerDeps(() => openIsolatedReader())

/** Ends the processes that expand calendars. */
export const closeReader = (ctx: Ctx) => readerOf(ctx).close()

/**
 * Reads the calendar that has been due for the longest time. Only one calendar of a pro is read at a time, and the pros take
 * turns. Returns undefined when no calendar is due.
 */
export async function readNextCalendar(ctx: Ctx): Promise<ReadingOutcome | undefined> {
  const now = ctx.clock.now()
  const calendar = await claimCalendar(ctx, { now, until: new Date(now.getTime() + CLAIM_MS) })
  if (!calendar) return undefined
  try {
    return await readCalendar(ctx, calendar)
  } finally {
    await endTurn(ctx, { ...calendar, now: ctx.clock.now() })
  }
}

/** The numbers of calendars and of failing ones, and the seconds for which the first has been due. */
export const readingBacklog = (ctx: Ctx) => findReadingBacklog(ctx, { now: ctx.clock.now() })

async function readCalendar(ctx: Ctx, calendar: ClaimedCalendar): Promise<ReadingOutcome> {
  const start = Math.floor(ctx.clock.now().getTime() / DAY_MS) * DAY_MS
  const day = new Date(start).toISOString().slice(0, 10)
  // Each day is expanded anew, and each zone: floating times and whole days are in the pro's.
  const isExpanded = calendar.expandedFrom === day && calendar.expandedZone === calendar.timeZone
  const downloaded = await download(ctx, { isConditional: isExpanded, calendar })
  if (downloaded.kind === 'failed') return await saveFailure(ctx, calendar, downloaded)
  if (downloaded.kind === 'unchanged') return await saveRead(ctx, calendar)
  const { body, etag, lastModified } = downloaded
  const bodyDigest = createHash('sha256').update(body).digest('base64url')
  const reading = { etag, lastModified, bodyDigest }
  if (isExpanded && bodyDigest === calendar.bodyDigest) return await saveRead(ctx, calendar, reading)
  const options = {
    timeZone: calendar.timeZone,
    zones: await zonesThatDiffer(ctx, {
      names: [calendar.timeZone, ...zoneNamesIn(Buffer.from(body).toString('latin1'))],
    }),
    within: { start, end: start + HORIZON_DAYS * DAY_MS },
    // Ignores invitations that Hearth sent and that are still in the pro’s calendar: a booking must not block its own time,
    // nor block it after it was cancelled.
    ownHost: new URL(ctx.config.baseUrl).hostname,
  }
  const result = await readerOf(ctx).read(body, options, {
    owner: calendar.professionalId,
    isSuspect: calendar.failures > 0,
  })
  const restMs = result.cpuMs / CPU_SHARE
  if (result.kind === 'unusable')
    return await saveFailure(ctx, calendar, { error: UNUSABLE[result.reason], retryAfterMs: restMs })
  const busy = result.busy.map((span) => ({
    startsAt: new Date(span.start).toISOString(),
    endsAt: new Date(span.end).toISOString(),
  }))
  const { events, unreadable } = result
  return await saveBusy(ctx, calendar, {
    busy,
    restMs,
    reading,
    expansion: { from: day, zone: calendar.timeZone, events, unreadable },
  })
}

const UNUSABLE = {
  not_a_calendar: 'The address does not lead to a calendar. Use its secret address in iCal format.',
  incomplete: 'The calendar’s file is incomplete.',
  too_many_times: 'The calendar has too many events.',
  too_slow: 'The calendar takes too long to read.',
  too_much_memory: 'The calendar takes too much memory to read.',
  crashed: 'The calendar could not be read.',
}

/** The time of the next reading: later by up to a tenth, or earlier. */
const inAbout = (now: Date, ms: number) => new Date(now.getTime() + ms * (1 + JITTER * (2 * Math.random() - 1)))

/** How long a calendar rests after a reading without changes: from five minutes to six hours, by the age of its last change. */
export const restAfter = (changedAt: string, now: Date): number =>
  Math.min(Math.max((now.getTime() - Date.parse(changedAt)) / REST_SHARE, READ_EVERY_MS), LONGEST_WAIT_MS)

async function saveRead(ctx: Ctx, calendar: ClaimedCalendar, reading?: Reading): Promise<ReadingOutcome> {
  const now = ctx.clock.now()
  const isSaved = await updateRead(ctx, {
    ...calendar,
    reading,
    now,
    next: inAbout(now, restAfter(calendar.changedAt, now)),
  })
  return isSaved ? 'unchanged' : 'superseded'
}

/** Records a failed reading. The last known busy time stays. Notifies the pro once the calendar has failed for a day. */
async function saveFailure(
  ctx: Ctx,
  calendar: ClaimedCalendar,
  failure: { error: string; retryAfterMs: number },
): Promise<ReadingOutcome> {
  const now = ctx.clock.now()
  const backoffMs = Math.min(READ_EVERY_MS * 2 ** calendar.failures, LONGEST_BACKOFF_MS)
  const next = inAbout(now, Math.max(backoffMs, failure.retryAfterMs / (1 - JITTER)))
  const toldBefore = new Date(now.getTime() - TELL_AFTER_MS)
  await ctx.transaction('saveFailure', async (ctx) => {
    const untold = await updateFailed(ctx, { ...calendar, error: failure.error, now, next, toldBefore })
    if (untold) await tellFailure(ctx, calendar, { reason: failure.error, ...untold })
  })
  return 'failed'
}

async function saveBusy(
  ctx: Ctx,
  calendar: ClaimedCalendar,
  saved: { busy: { startsAt: string; endsAt: string }[]; restMs: number; reading: Reading; expansion: Expansion },
): Promise<ReadingOutcome> {
  const now = ctx.clock.now()
  return await ctx.transaction('saveBusy', async (ctx) => {
    // With the lock, a concurrent reservation either sees this busy time, or its booking is seen here.
    await lockSchedule(ctx, { professionalId: calendar.professionalId })
    const next = inAbout(now, Math.max(restAfter(calendar.changedAt, now), saved.restMs))
    if (!(await updateRead(ctx, { ...calendar, ...saved, now, next }))) return 'superseded'
    const seenUntil = Date.parse(calendar.expandedFrom ?? saved.expansion.from) + HORIZON_DAYS * DAY_MS
    const changes = await replaceBusy(ctx, { ...calendar, busy: saved.busy, now, until: new Date(seenUntil) })
    if (changes === 0) return 'unchanged'
    await updateChanged(ctx, { ...calendar, now, next: inAbout(now, Math.max(READ_EVERY_MS, saved.restMs)) })
    await emitAvailabilityUpdated(ctx, { professionalId: calendar.professionalId })
    for (const conflict of await insertConflicts(ctx, { ...calendar, now })) await tellConflict(ctx, calendar, conflict)
    return 'changed'
  })
}

/** By e-mail and in the console. */
async function tellFailure(
  ctx: TxCtx,
  { id, name, accountId, professionalId, email, timeZone, claim }: ClaimedCalendar,
  failure: { reason: string; lastReadAt: string | null },
): Promise<void> {
  await addNotice(ctx, { kind: 'calendar_failing', data: { calendarId: id, name, ...failure }, accountId })
  const consoleUrl = `${ctx.config.baseUrl}/console/calendars`
  await planMessage(ctx, {
    kind: 'calendar-failing',
    to: email,
    data: { calendar: name, timeZone, consoleUrl, ...failure },
    key: `calendar-failing:${id}:${claim}`,
    professionalId,
  })
}

/** By e-mail and in the console. The booking stays as it is. */
async function tellConflict(
  ctx: TxCtx,
  { id, name, accountId, professionalId, email }: ClaimedCalendar,
  { bookingId, booking, ...event }: Conflict,
): Promise<void> {
  await addNotice(ctx, { kind: 'calendar_conflict', data: { calendarId: id, name, bookingId, ...event }, accountId })
  await planMessage(ctx, {
    kind: 'calendar-conflict',
    to: email,
    data: { booking, calendar: name, event, consoleUrl: `${ctx.config.baseUrl}/console/bookings/${bookingId}` },
    key: `calendar-conflict:${id}:${bookingId}`,
    professionalId,
    bookingId,
  })
}

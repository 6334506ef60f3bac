// A pro's imported calendars: added, listed, removed. Readers read them (read-calendar.ts).
import type { Ctx, TxCtx } from '../../../../ctx.ts'
import { AppError, invalidField } from '../../../../errors/app-error.ts'
import { runIdempotently } from '../../../../idempotency/verbs.ts'
import { targetUrlFault } from '../../../../platform/net/addresses.ts'
import { emitAvailabilityUpdated } from '../../schedule/verbs.ts'
import { deleteCalendars, lockMember, updateDue } from '../queries/calendars.ts'
import { insertCalendar, selectCalendars } from '../queries/calendars.sql.ts'
import { lockSchedule, notifyReaders, selectImportedTimes } from '../queries/calendars.sql.ts'
import {
  type CalendarAdded,
  type CalendarList,
  type ImportedTime,
  MAX_CALENDARS,
  type NewCalendar,
} from '../schemas.ts'
import { encryptAddress, targetPolicy } from './download.ts'

/** The pro who calls, and the account of the key or login. */
export interface CalendarOwner {
  accountId: string
  professionalId: string
}

/** Read again on request only after this time: the server of the calendar belongs to others. */
const READ_AGAIN_MS = 10_000

/** Oldest first. */
export const listCalendars = async (ctx: Ctx<CalendarOwner>): Promise<CalendarList> => ({
  calendars: await selectCalendars(ctx, { professionalId: ctx.actor.professionalId }),
})

/**
 * Imports a calendar from now on. Throws validation_failed for an address that may not be read, member_not_found,
 * calendar_exists and too_many_calendars.
 */
export async function addCalendar(ctx: Ctx<CalendarOwner>, input: NewCalendar): Promise<CalendarAdded> {
  // `webcal` means: subscribe to this calendar, over https.
  const address = input.url.replace(/^webcals?:/, 'https:')
  const fault = targetUrlFault(address, targetPolicy(ctx))
  if (fault) throw invalidField('body.url', fault)
  const memberId = input.memberId ?? null
  const request = { accountId: ctx.actor.accountId, operation: 'addCalendar', request: input }
  return await runIdempotently(ctx, request, async (ctx) => {
    await lockSchedule(ctx, { professionalId: ctx.actor.professionalId })
    if (memberId !== null && !(await lockMember(ctx, { professionalId: ctx.actor.professionalId, id: memberId })))
      throw new AppError('member_not_found', 'No active member of your team has this id.')
    if ((await selectCalendars(ctx, { professionalId: ctx.actor.professionalId })).length >= MAX_CALENDARS)
      throw new AppError('too_many_calendars', `You may import up to ${MAX_CALENDARS} calendars. Remove one first.`)
    const calendar = await insertCalendar(ctx, {
      id: ctx.ids.uuid(),
      professionalId: ctx.actor.professionalId,
      memberId,
      name: input.name,
      addressEncrypted: encryptAddress(ctx, { address }),
      addressDigest: ctx.encryption.digest('calendar-address', address),
      host: new URL(address).host,
      now: ctx.clock.now(),
    })
    if (!calendar) throw new AppError('calendar_exists', 'You import this calendar already.')
    await notifyReaders(ctx)
    return { success: true, calendar }
  })
}

/** Removes a calendar. The time that it blocked is free at once. Throws not_found. */
export const removeCalendar = (ctx: Ctx<CalendarOwner>, { id }: { id: string }): Promise<void> =>
  ctx.transaction('removeCalendar', async (ctx) => {
    await lockSchedule(ctx, { professionalId: ctx.actor.professionalId })
    if ((await deleteCalendars(ctx, { professionalId: ctx.actor.professionalId, which: { id } })) === 0)
      throw calendarNotFound()
    await emitAvailabilityUpdated(ctx, { professionalId: ctx.actor.professionalId })
  })

/** Removes the calendars of a member who leaves the team. */
export async function removeCalendarsOfMember(
  ctx: TxCtx,
  { professionalId, memberId }: { professionalId: string; memberId: string },
): Promise<void> {
  await lockSchedule(ctx, { professionalId })
  if ((await deleteCalendars(ctx, { professionalId, which: { memberId } })) > 0)
    await emitAvailabilityUpdated(ctx, { professionalId })
}

/** Has a calendar read at once, unless it was read a moment ago; then returns false. Throws not_found. */
export async function readCalendarSoon(ctx: Ctx<CalendarOwner>, { id }: { id: string }): Promise<boolean> {
  const now = ctx.clock.now()
  const notAfter = new Date(now.getTime() - READ_AGAIN_MS)
  return await ctx.transaction('readCalendarSoon', async (ctx) => {
    const isDue = await updateDue(ctx, { now, notAfter, professionalId: ctx.actor.professionalId, id })
    if (isDue === undefined) throw calendarNotFound()
    if (isDue) await notifyReaders(ctx)
    return isDue
  })
}

/** The first times of the next `days` that imported calendars block, in order. */
export const listImportedTimes = (
  ctx: Ctx<CalendarOwner>,
  { from = ctx.clock.now(), days, limit }: { from?: Date; days: number; limit: number },
): Promise<ImportedTime[]> => selectImportedTimes(ctx, { from, days, limit, professionalId: ctx.actor.professionalId })

const calendarNotFound = () => new AppError('not_found', 'You have no imported calendar with this id.')

// A pro's imported calendars: added, listed, removed. Readers read them (read-calendar.ts).
import type { Deps } from '../../../deps.ts'
import { AppError, invalidField } from '../../../errors/app-error.ts'
import type { IdempotencyContext, IdempotentResult } from '../../../idempotency/context.ts'
import { runIdempotently } from '../../../idempotency/verbs.ts'
import { targetUrlFault } from '../../../platform/net/addresses.ts'
import type { Transaction } from '../../../platform/postgres/database.ts'
import { emitAvailabilityUpdated } from '../../schedule/verbs.ts'
import {
  deleteCalendars,
  insertCalendar,
  lockMember,
  lockSchedule,
  notifyReaders,
  selectCalendars,
  selectImportedTimes,
  updateDue,
} from '../queries/calendars.ts'
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

/** Read again on request only after this time: the server of the calendar belongs to somebody else. */
const READ_AGAIN_MS = 10_000

/** Oldest first. */
export const listCalendars = async ({ read }: Deps, { professionalId }: CalendarOwner): Promise<CalendarList> => ({
  calendars: await selectCalendars(read, professionalId),
})

/**
 * Imports a calendar from now on. Throws validation_failed for an address that may not be read, member_not_found,
 * calendar_exists and too_many_calendars.
 */
export async function addCalendar(
  deps: Deps,
  { accountId, professionalId }: CalendarOwner,
  input: NewCalendar,
  idempotency?: IdempotencyContext,
): Promise<IdempotentResult<CalendarAdded>> {
  // `webcal` means: subscribe to this calendar, over https.
  const address = input.url.replace(/^webcals?:/, 'https:')
  const fault = targetUrlFault(address, targetPolicy(deps))
  if (fault) throw invalidField('body.url', fault)
  const memberId = input.memberId ?? null
  const request = { accountId, operation: 'addCalendar', request: input }
  return await runIdempotently(deps, idempotency, request, async (tx) => {
    await lockSchedule(tx, professionalId)
    if (memberId !== null && !(await lockMember(tx, professionalId, memberId)))
      throw new AppError('member_not_found', 'No active member of your team has this id.')
    if ((await selectCalendars(tx, professionalId)).length >= MAX_CALENDARS)
      throw new AppError('too_many_calendars', `You may import up to ${MAX_CALENDARS} calendars. Remove one first.`)
    const calendar = await insertCalendar(tx, {
      id: deps.ids.uuid(),
      professionalId,
      memberId,
      name: input.name,
      addressEncrypted: encryptAddress(deps, address),
      addressDigest: deps.encryption.digest('calendar-address', address),
      host: new URL(address).host,
      now: deps.clock.now(),
    })
    if (!calendar) throw new AppError('calendar_exists', 'You import this calendar already.')
    await notifyReaders(tx)
    return { success: true, calendar }
  })
}

/** Removes a calendar. The time that it blocked is free at once. Throws not_found. */
export const removeCalendar = (deps: Deps, { professionalId }: CalendarOwner, id: string): Promise<void> =>
  deps.write.begin('removeCalendar', async (tx) => {
    await lockSchedule(tx, professionalId)
    if ((await deleteCalendars(tx, professionalId, { id })) === 0) throw calendarNotFound()
    await emitAvailabilityUpdated(deps, tx, professionalId)
  })

/** Removes the calendars of a member who leaves the team. */
export async function removeCalendarsOfMember(
  deps: Deps,
  tx: Transaction,
  professionalId: string,
  memberId: string,
): Promise<void> {
  await lockSchedule(tx, professionalId)
  if ((await deleteCalendars(tx, professionalId, { memberId })) > 0)
    await emitAvailabilityUpdated(deps, tx, professionalId)
}

/** Has a calendar read at once, unless it was read a moment ago; then returns false. Throws not_found. */
export async function readCalendarSoon(deps: Deps, { professionalId }: CalendarOwner, id: string): Promise<boolean> {
  const now = deps.clock.now()
  const notAfter = new Date(now.getTime() - READ_AGAIN_MS)
  return await deps.write.begin('readCalendarSoon', async (tx) => {
    const isDue = await updateDue(tx, professionalId, id, { now, notAfter })
    if (isDue === undefined) throw calendarNotFound()
    if (isDue) await notifyReaders(tx)
    return isDue
  })
}

/** The first times of the next `days` that imported calendars block, in order. */
export const listImportedTimes = (
  { read, clock }: Deps,
  { professionalId }: CalendarOwner,
  { from = clock.now(), days, limit }: { from?: Date; days: number; limit: number },
): Promise<ImportedTime[]> => selectImportedTimes(read, professionalId, { from, days, limit })

const calendarNotFound = () => new AppError('not_found', 'You have no imported calendar with this id.')

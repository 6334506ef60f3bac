// Calendar feeds: their secret addresses, and bookings as calendar files.
import type { Ctx } from '../../../ctx.ts'
import { AppError } from '../../../errors/app-error.ts'
import { hashToken, isToken, newToken } from '../../../auth/users/tokens.ts'
import { normalizeCode } from '../../booking/bookings/rules/confirmation-codes.ts'
import { VERSION } from '../../../platform/version.ts'
import { lockActiveMember } from '../../business/members/verbs/team.ts'
import { customerEntry, proEntry } from './entries.ts'
import { calendarOf, feedOf } from './ics.ts'
import { type FeedRow, findCalendarBooking, listCalendarBookings } from './queries.ts'
import { deleteFeed, findFeed, listFeeds, upsertFeed } from './queries.sql.ts'

export type { FeedRow as CalendarFeed } from './queries.ts'

/** How far back a feed goes. All bookings to come are in it. */
const PAST_DAYS = 90

interface FeedOwner {
  readonly professionalId: string
}

/** The feed of all bookings of a pro, and one for each member. Feeds without an address are listed too. */
export const listCalendarFeeds = (ctx: Ctx<FeedOwner>): Promise<FeedRow[]> =>
  listFeeds(ctx, { professionalId: ctx.actor.professionalId })

/**
 * Makes the secret address of a feed, of all bookings or of those of a member. An earlier address stops working. Returns the
 * address, which is not stored. Throws member_not_found.
 */
export async function renewCalendarFeed(
  ctx: Ctx<FeedOwner>,
  { memberId }: { memberId: string | null },
): Promise<string> {
  const token = newToken()
  await ctx.transaction('renewCalendarFeed', async (ctx) => {
    if (memberId !== null && !(await lockActiveMember(ctx, { professionalId: ctx.actor.professionalId, id: memberId })))
      throw new AppError('member_not_found', 'No active member of your team has this id.')
    await upsertFeed(ctx, {
      id: ctx.ids.uuid(),
      professionalId: ctx.actor.professionalId,
      memberId,
      tokenHash: hashToken(token),
      now: ctx.clock.now(),
    })
  })
  return `${ctx.config.baseUrl}/calendars/${token}.ics`
}

/** Ends the address of a feed, if it has one. */
export const revokeCalendarFeed = (ctx: Ctx<FeedOwner>, { memberId }: { memberId: string | null }): Promise<void> =>
  deleteFeed(ctx, { professionalId: ctx.actor.professionalId, memberId })

/** The current content of a feed. */
export interface CalendarContent {
  /** Changes with the content. */
  readonly digest: string
  /** Makes the iCalendar text. */
  readonly content: () => Promise<string>
}

/** The feed with this token. Throws calendar_feed_not_found. */
export async function readCalendarFeed(ctx: Ctx, { token }: { token: string }): Promise<CalendarContent> {
  // From the primary: a revoked address must not work on.
  const feed = isToken(token) ? await findFeed(ctx, { tokenHash: hashToken(token) }) : undefined
  if (!feed) throw new AppError('calendar_feed_not_found', 'No calendar has this address. Ask for a new one.')
  const now = ctx.clock.now()
  const since = new Date(now.getTime() - PAST_DAYS * 86_400_000)
  const { professionalId, memberId, businessName, memberName } = feed
  const bookings = await listCalendarBookings(ctx, { professionalId, memberId, since, now })
  const name = memberName === null ? businessName : `${memberName}, ${businessName}`
  return {
    digest: Bun.hash.xxHash3(JSON.stringify([VERSION, ctx.config.baseUrl, name, bookings])).toString(36),
    content: () => {
      const entries = bookings.map((booking) =>
        proEntry(booking, `${ctx.config.baseUrl}/console/bookings/${booking.id}`),
      )
      return feedOf(ctx.config.baseUrl, name, entries)
    },
  }
}

/**
 * The booking with this confirmation code for its customer's calendar, as iCalendar. The code does not show where the visit
 * is, as on the booking's page. Throws booking_not_found.
 */
export async function readBookingFile(ctx: Ctx, { code }: { code: string }): Promise<string> {
  const normal = normalizeCode(code)
  const booking = await findCalendarBooking(ctx, { code: normal, now: ctx.clock.now() })
  if (!booking) throw new AppError('booking_not_found', 'No booking has this confirmation code.')
  const url = `${ctx.config.baseUrl}/bookings/${encodeURIComponent(normal)}`
  return calendarOf(ctx.config.baseUrl, [customerEntry({ ...booking, address: null }, url)])
}

// /calendars/{token}.ics: a pro's or a member's bookings, for calendar programs. The token is the secret.
import { Elysia } from 'elysia'

import type { Deps } from '../../deps.ts'
import { linkOnly } from '../../auth/access.ts'
import { ICS_TYPE } from '../../features/calendar/calendar-feeds/ics.ts'
import { readCalendarFeed } from '../../features/calendar/calendar-feeds/verbs.ts'
import { guard } from '../../http/guard.ts'
import { isKnown } from '../../http/json.ts'

const HEADERS = { 'content-type': ICS_TYPE, 'x-robots-tag': 'noindex' }

/** The end of a calendar's address. */
const SUFFIX = /\.ics$/i

export const calendarFeeds = (deps: Deps) =>
  new Elysia({ name: 'calendar-feeds' }).use(guard(deps)).get(
    '/calendars/:token',
    async function getCalendarFeed({ ctx, request, params: { token } }) {
      const { digest, content } = await readCalendarFeed(ctx, { token: token.replace(SUFFIX, '') })
      const etag = `"${digest}"`
      // Programs ask every few minutes, and the text of 1,000 bookings takes 60 ms.
      if (isKnown(request, etag)) return new Response(null, { status: 304, headers: { etag } })
      return new Response(await content(), { headers: { ...HEADERS, etag } })
    },
    { access: linkOnly, caching: 'private', detail: { hide: true } },
  )

/** The file of a booking. */
export const bookingFile = (content: string): Response =>
  new Response(content, { headers: { ...HEADERS, 'content-disposition': 'attachment; filename="booking.ics"' } })

/** The code in `/bookings/{code}.ics`; undefined for the page of a booking. */
export const codeOfFile = (code: string): string | undefined =>
  SUFFIX.test(code) ? code.replace(SUFFIX, '') : undefined

// /calendars/{token}.ics: a pro's or a member's bookings, for calendar programs. The token is the secret.
import { Elysia } from 'elysia'

import type { Deps } from '../../deps.ts'
import { linkOnly } from '../../auth/access.ts'
import { ICS_TYPE } from '../../features/calendar-feeds/ics.ts'
import { readCalendarFeed } from '../../features/calendar-feeds/verbs.ts'
import { guard } from '../../http/guard.ts'
import { publicText } from '../../http/json.ts'

/** The end of a calendar's address. */
const SUFFIX = /\.ics$/i

export const calendarFeeds = (deps: Deps) =>
  new Elysia({ name: 'calendar-feeds' }).use(guard(deps)).get(
    '/calendars/:token',
    async function getCalendarFeed({ request, params: { token } }) {
      return calendarResponse(request, await readCalendarFeed(deps, token.replace(SUFFIX, '')))
    },
    { access: linkOnly, caching: 'private', detail: { hide: true } },
  )

/** A calendar with an ETag, or 304. It is for one person, so it is not compressed. */
export const calendarResponse = (request: Request, content: string, filename?: string): Response =>
  publicText(request, content, {
    headers: {
      'content-type': ICS_TYPE,
      'x-robots-tag': 'noindex',
      ...(filename === undefined ? {} : { 'content-disposition': `attachment; filename="${filename}"` }),
    },
    compress: undefined,
  })

/** The code in `/bookings/{code}.ics`; undefined for the page of a booking. */
export const codeOfFile = (code: string): string | undefined =>
  SUFFIX.test(code) ? code.replace(SUFFIX, '') : undefined

// GET and POST /pro/calendars, DELETE /pro/calendars/{id}.
import { Elysia } from 'elysia'

import type { Deps } from '../../../deps.ts'
import { guard } from '../../../http/guard.ts'
import { problems, returns } from '../../../http/responses.ts'
import { CalendarAdded, CalendarList, CalendarParams, NewCalendar } from './schemas.ts'
import { addCalendar, listCalendars, removeCalendar } from './verbs/calendars.ts'

const tags = ['Pro settings']

export const importedCalendarRoutes = (deps: Deps) =>
  new Elysia({ name: 'imported-calendars', prefix: '/pro/calendars' })
    .use(guard(deps))
    .get(
      '',
      async function getCalendars({ ctx }) {
        return await listCalendars(ctx)
      },
      {
        proKey: 'pro:read',
        response: { 200: returns('The pro’s imported calendars', CalendarList) },
        detail: { tags, summary: 'The calendars whose events block the pro’s time' },
      },
    )
    .post(
      '',
      async function postCalendar({ ctx, body, status }) {
        return status(201, await addCalendar(ctx, body))
      },
      {
        proKey: 'pro:write',
        idempotent: true,
        body: NewCalendar,
        response: {
          201: returns('Added; it is read at once', CalendarAdded),
          ...problems({
            404: 'No active member of this team has this id',
            409: 'The calendar was added before, or the pro has as many calendars as a pro may have',
          }),
        },
        detail: {
          tags,
          summary: 'Import a calendar',
          description:
            'Its events block time like a block, from then on. It is read every five minutes after a change, less often while nothing changes (at least every six hours), and never written to. Events that are cancelled or shown as free do not count.',
        },
      },
    )
    .delete(
      '/:id',
      async function deleteCalendar({ ctx, params }) {
        await removeCalendar(ctx, { id: params.id })
        return new Response(null, { status: 204 })
      },
      {
        proKey: 'pro:write',
        params: CalendarParams,
        response: {
          204: returns('Removed; the time that it blocked is free'),
          ...problems({ 404: 'You have no calendar with this id' }),
        },
        detail: { tags, summary: 'Remove an imported calendar' },
      },
    )

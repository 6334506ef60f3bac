/** @jsxImportSource preact */
// The calendar feeds in a pro's settings: secret addresses of all bookings and of each member's, made and ended here.
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'

import type { Ctx } from '../../ctx.ts'
import type { Deps } from '../../deps.ts'
import {
  type CalendarFeed,
  listCalendarFeeds,
  renewCalendarFeed,
  revokeCalendarFeed,
} from '../../features/calendar/calendar-feeds/verbs.ts'
import { guard } from '../../http/guard.ts'
import { type AuthenticatedRequest, actingProOf } from '../../http/session.ts'
import { OneOf, Uuid } from '../../platform/schema/types.ts'
import { day } from '../../platform/text/format.ts'
import type { VNode } from 'preact'
import type { Flash } from '../ui/flash.tsx'
import { ActionButton } from '../ui/form.tsx'
import { ButtonRow } from '../ui/buttons.tsx'
import { Section } from '../ui/headings.tsx'
import { Table } from '../ui/table.tsx'
import { runFormAction } from '../ui/submit.ts'

const SETTINGS = '/console/settings'
const PATH = `${SETTINGS}/calendar`

export const CalendarFeedForm = Type.Object({
  action: OneOf(['renew', 'revoke']),
  /** Absent for the calendar of all bookings. */
  memberId: Type.Optional(Uuid()),
})

export const calendarFeedPages = (deps: Deps) =>
  new Elysia({ name: 'calendar-feed-pages' }).use(guard(deps)).post(
    PATH,
    async function postCalendarFeed({ ctx, authenticated: by }) {
      return await runFormAction(ctx, by, SETTINGS, CalendarFeedForm, async ({ action, memberId = null }) => {
        if (action === 'renew') return newAddress(await renewCalendarFeed(ctx.as(actingProOf(by)), { memberId }))
        await revokeCalendarFeed(ctx.as(actingProOf(by)), { memberId })
        return 'The address of the calendar no longer works.'
      })
    },
    { session: ['pro'] as const, form: CalendarFeedForm },
  )

const newAddress = (url: string): Flash => ({
  tone: 'good',
  text: 'The calendar has a new address. Google and Outlook look for changes a few times a day.',
  secret: {
    label: 'Address of the calendar',
    value: url,
    note: 'You will not see it again, and anyone who has it can read the calendar. In Google Calendar: Other calendars, From URL.',
    link: { label: 'Add to calendar', url: url.replace(/^https?:/, 'webcal:') },
  },
})

/** The section of the settings. */
export async function calendarFeedSection(ctx: Ctx, by: AuthenticatedRequest): Promise<VNode> {
  const feeds = await listCalendarFeeds(ctx.as(actingProOf(by)))
  return (
    <Section title="Bookings in your calendar">
      <p>
        Google Calendar, Apple Calendar and Outlook can show your bookings. Each calendar has a secret address of its
        own; give a member’s address to that member.
      </p>
      <Table
        caption="Calendars"
        columns={['Calendar', 'Address', '']}
        rows={feeds.map((feed) => [
          feed.memberName ?? 'All bookings',
          feed.createdAt === null ? 'None' : `Made on ${day(feed.createdAt)}`,
          buttonsOf(by, feed),
        ])}
      />
    </Section>
  )
}

function buttonsOf({ session }: AuthenticatedRequest, { memberId, createdAt }: CalendarFeed): VNode {
  const button = (action: 'renew' | 'revoke', label: string) => (
    <ActionButton
      session={session}
      action={PATH}
      label={label}
      fields={{ action, ...(memberId === null ? {} : { memberId }) }}
      {...(action === 'revoke' ? { tone: 'danger' as const } : {})}
    />
  )
  return createdAt === null ? (
    button('renew', 'Make an address')
  ) : (
    <ButtonRow>{[button('renew', 'Replace the address'), button('revoke', 'End it')]}</ButtonRow>
  )
}

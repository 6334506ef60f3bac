/** @jsxImportSource preact */
// /console/search: one box that finds a pro's bookings, leads and customers, and for operators everything.
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'

import type { Ctx } from '../../ctx.ts'
import type { Deps } from '../../deps.ts'
import type { ProCustomer } from '../../features/booking/bookings/schemas.ts'
import { searchBookings, searchCustomers } from '../../features/booking/bookings/verbs/pro-lists.ts'
import type { LeadList } from '../../features/quoting/rfqs/schemas.ts'
import { listLeads } from '../../features/quoting/rfqs/verbs/rfqs.ts'
import { searchAsOperator } from '../../features/upkeep/operator-search/verbs.ts'
import { guard } from '../../http/guard.ts'
import { type AuthenticatedRequest, actingProOf } from '../../http/session.ts'
import { day, plural } from '../../platform/text/format.ts'
import type { VNode } from 'preact'
import { EmailLink, PhoneLink } from '../ui/links.tsx'
import { EmptyState } from '../ui/lists.tsx'
import { PageHeading, Section } from '../ui/headings.tsx'
import { Table } from '../ui/table.tsx'
import { renderConsolePage } from '../ui/responses.tsx'
import { bookingTable } from './bookings/list.tsx'
import { customerOf, requestOf } from './leads/view.tsx'
import { SEARCH_PATH, foundView } from './operator-search.tsx'
import { searchForm } from './search-form.tsx'

const TEN = { limit: 10 }

export const searchPages = (deps: Deps) =>
  new Elysia({ name: 'search-pages' }).use(guard(deps)).get(
    SEARCH_PATH,
    async function getSearch({ ctx, authenticated: by, query: { q: text = '' } }) {
      const content = (
        <>
          <PageHeading>Search</PageHeading>
          {searchForm({
            path: SEARCH_PATH,
            label: 'Search',
            hint: HINTS[by.session.role === 'operator' ? 'operator' : 'pro'],
            text: text.trim(),
          })}
          {text.trim() !== '' && (await resultsOf(ctx, by, text.trim()))}
        </>
      )
      return renderConsolePage(ctx, by, { title: 'Search', content, styles: ['console.css'] })
    },
    { session: ['operator', 'pro'], query: Type.Object({ q: Type.Optional(Type.String({ maxLength: 200 })) }) },
  )

const HINTS = {
  operator: 'Code, name, phone or its last four digits, e-mail, address, business or id',
  pro: 'Name, phone, e-mail, code or words of a request',
}

async function resultsOf(ctx: Ctx, by: AuthenticatedRequest, text: string): Promise<VNode> {
  if (by.session.role === 'operator')
    return foundView(by.session, { text, found: await searchAsOperator(ctx, { text }) })
  const pro = actingProOf(by)
  const [bookings, leads, customers] = await Promise.all([
    searchBookings(ctx.as(pro), { view: 'all', text, ...TEN }),
    listLeads(ctx.as(pro), { text, ...TEN }),
    searchCustomers(ctx.as(pro), { text }),
  ])
  if (bookings.meta.total + leads.meta.total + customers.length === 0)
    return (
      <EmptyState title={`Nothing matches “${text}”`}>
        Try a part of a name, or the digits of a phone number.
      </EmptyState>
    )
  const all = (total: number, path: string) =>
    total > TEN.limit && (
      <p>
        <a href={path}>All {total} results</a>
      </p>
    )
  const q = encodeURIComponent(text)
  return (
    <>
      {customers.length > 0 && <Section title="Customers">{customerTable(customers)}</Section>}
      {bookings.bookings.length > 0 && (
        <Section title="Bookings">
          {bookingTable(bookings.bookings)}
          {all(bookings.meta.total, `/console/bookings?show=all&q=${q}`)}
        </Section>
      )}
      {leads.rfqs.length > 0 && (
        <Section title="Leads">
          {leadTable(leads)}
          {all(leads.meta.total, `/console/leads?q=${q}`)}
        </Section>
      )}
    </>
  )
}

const customerTable = (customers: readonly ProCustomer[]): VNode => (
  <Table
    caption="Customers"
    columns={['Name', 'E-mail', 'Phone', 'Bookings']}
    rows={customers.map(({ name, email, phone, bookings }) => [
      name,
      <EmailLink address={email} />,
      phone === null ? '–' : <PhoneLink phone={phone} />,
      <a href={`/console/bookings?show=all&q=${encodeURIComponent(email)}`}>{plural(bookings, 'booking')}</a>,
    ])}
  />
)

const leadTable = ({ rfqs }: LeadList): VNode => (
  <Table
    caption="Leads"
    columns={['Customer', 'Request', 'Received']}
    rows={rfqs.map((lead) => [customerOf(lead), requestOf(lead), day(lead.createdAt)])}
    isDense
  />
)

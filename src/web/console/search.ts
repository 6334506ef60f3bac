// /console/search: one box that finds a pro's bookings, leads and customers.
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'

import type { Ctx } from '../../ctx.ts'
import type { Deps } from '../../deps.ts'
import type { ProCustomer } from '../../features/booking/bookings/schemas.ts'
import { searchBookings, searchCustomers } from '../../features/booking/bookings/verbs/pro-lists.ts'
import type { LeadList } from '../../features/quoting/rfqs/schemas.ts'
import { listLeads } from '../../features/quoting/rfqs/verbs/rfqs.ts'
import { guard } from '../../http/guard.ts'
import { type AuthenticatedRequest, actingProOf } from '../../http/session.ts'
import { day, plural } from '../../platform/text/format.ts'
import { type Html, html } from '../../platform/text/html.ts'
import { emailLink, phoneLink } from '../ui/links.ts'
import { emptyState, pageHeading, section, table } from '../ui/parts.ts'
import { renderConsolePage } from '../ui/responses.ts'
import { bookingTable } from './bookings/list.ts'
import { customerOf, requestOf } from './leads/view.ts'
import { searchForm } from './search-form.ts'

const PATH = '/console/search'
const TEN = { limit: 10 }

export const searchPages = (deps: Deps) =>
  new Elysia({ name: 'search-pages' }).use(guard(deps)).get(
    PATH,
    async function getSearch({ ctx, authenticated: by, query: { q: text = '' } }) {
      const content = html`
        ${pageHeading('Search')}
        ${searchForm({ path: PATH, label: 'Search', hint: 'Name, phone, e-mail, code or words of a request', text: text.trim() })}
        ${text.trim() !== '' && (await resultsOf(ctx, by, text.trim()))}
      `
      return renderConsolePage(ctx, by, { title: 'Search', content, styles: ['console.css'] })
    },
    { session: ['pro'], query: Type.Object({ q: Type.Optional(Type.String({ maxLength: 200 })) }) },
  )

async function resultsOf(ctx: Ctx, by: AuthenticatedRequest, text: string): Promise<Html> {
  const pro = actingProOf(by)
  const [bookings, leads, customers] = await Promise.all([
    searchBookings(ctx.as(pro), { view: 'all', text, ...TEN }),
    listLeads(ctx.as(pro), { text, ...TEN }),
    searchCustomers(ctx.as(pro), { text }),
  ])
  if (bookings.meta.total + leads.meta.total + customers.length === 0)
    return emptyState(`Nothing matches “${text}”`, 'Try a part of a name, or the digits of a phone number.')
  const all = (total: number, path: string) =>
    total > TEN.limit && html`<p><a href="${path}">All ${total} results</a></p>`
  const q = encodeURIComponent(text)
  return html`
    ${customers.length > 0 && section('Customers', customerTable(customers))}
    ${
      bookings.bookings.length > 0 &&
      section(
        'Bookings',
        html`${bookingTable(bookings.bookings)} ${all(bookings.meta.total, `/console/bookings?show=all&q=${q}`)}`,
      )
    }
    ${leads.rfqs.length > 0 && section('Leads', html`${leadTable(leads)} ${all(leads.meta.total, `/console/leads?q=${q}`)}`)}
  `
}

const customerTable = (customers: readonly ProCustomer[]): Html =>
  table(
    'Customers',
    ['Name', 'E-mail', 'Phone', 'Bookings'],
    customers.map(({ name, email, phone, bookings }) => [
      name,
      emailLink(email),
      phone === null ? '–' : phoneLink(phone),
      html`<a href="/console/bookings?show=all&amp;q=${encodeURIComponent(email)}">${plural(bookings, 'booking')}</a>`,
    ]),
  )

const leadTable = ({ rfqs }: LeadList): Html =>
  table(
    'Leads',
    ['Customer', 'Request', 'Received'],
    rfqs.map((lead) => [customerOf(lead), requestOf(lead), day(lead.createdAt)]),
    { isDense: true },
  )

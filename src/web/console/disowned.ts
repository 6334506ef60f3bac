// /console/disowned: for operators, the records that customers disowned, and the accounts that made them.
import { Elysia } from 'elysia'

import type { Deps } from '../../deps.ts'
import { type DisownedRow, listDisowned } from '../../features/customers/customers/verbs/disown.ts'
import { guard } from '../../http/guard.ts'
import { PageQuery } from '../../platform/schema/paging.ts'
import { dateTime } from '../../platform/text/format.ts'
import { type Html, html } from '../../platform/text/html.ts'
import { emptyState, pageHeading, pager, table } from '../ui/parts.ts'
import { renderConsolePage } from '../ui/responses.ts'

const PATH = '/console/disowned'

export const disownedPages = (deps: Deps) =>
  new Elysia({ name: 'disowned-pages' }).use(guard(deps)).get(
    PATH,
    async function getDisowned({ ctx, authenticated: by, query }) {
      const { rows, meta } = await listDisowned(ctx, query)
      const content = html`
        ${pageHeading('Disowned')}
        <p class="lead">
          Bookings, requests and reviews whose customers said: this was not me. Many from one account are a reason to
          look at its keys.
        </p>
        ${rows.length > 0 ? listOf(rows) : emptyState('Nothing yet', html`<a href="/console/reviews">Reviews</a>`)}
        ${pager(PATH, meta)}
      `
      return renderConsolePage(ctx, by, { title: 'Disowned', content, styles: ['operator.css'] })
    },
    { session: ['operator'], query: PageQuery },
  )

const listOf = (rows: readonly DisownedRow[]): Html =>
  table(
    'What customers disowned',
    ['Disowned', 'What', 'Pro', 'By the owner of', 'Made by'],
    rows.map((row) => [
      dateTime(row.disownedAt),
      html`${LABELS[row.kind]}<br /><span class="hint">${row.status ?? 'deleted'}, ${row.id}</span>`,
      html`<a href="/pros/${row.slug}">${row.businessName}</a>`,
      row.email ?? 'deleted',
      html`${row.account ?? 'deleted'}${row.accountKind !== null && html` (${row.accountKind})`}<br /><span class="hint"
          >${row.madeAt !== null && html`${dateTime(row.madeAt)}`}${row.source !== null && html`, by ${row.source}`}</span
        >`,
    ]),
  )

const LABELS: Record<DisownedRow['kind'], string> = { booking: 'Booking', request: 'Request', review: 'Review' }

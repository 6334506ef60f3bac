/** @jsxImportSource preact */
// /console/disowned: for operators, the records that customers disowned, and the accounts that made them.
import { Elysia } from 'elysia'

import type { Deps } from '../../deps.ts'
import { type DisownedRow, listDisowned } from '../../features/customers/customers/verbs/disown.ts'
import { guard } from '../../http/guard.ts'
import { PageQuery } from '../../platform/schema/paging.ts'
import { Time } from '../ui/time.tsx'
import type { VNode } from 'preact'
import { EmptyState, Pager } from '../ui/lists.tsx'
import { PageHeading } from '../ui/headings.tsx'
import { Table } from '../ui/table.tsx'
import { renderConsolePage } from '../ui/responses.tsx'

const PATH = '/console/disowned'

export const disownedPages = (deps: Deps) =>
  new Elysia({ name: 'disowned-pages' }).use(guard(deps)).get(
    PATH,
    async function getDisowned({ ctx, authenticated: by, query }) {
      const { rows, meta } = await listDisowned(ctx, query)
      const content = (
        <>
          <PageHeading>Disowned</PageHeading>
          <p class="lead">
            Bookings, requests and reviews whose customers said: this was not me. Many from one account are a reason to
            look at its keys.
          </p>
          {rows.length > 0 ? (
            listOf(rows)
          ) : (
            <EmptyState title="Nothing yet">
              <a href="/console/reviews">Reviews</a>
            </EmptyState>
          )}
          <Pager path={PATH} meta={meta} />
        </>
      )
      return renderConsolePage(ctx, by, { title: 'Disowned', content, styles: ['operator.css'] })
    },
    { session: ['operator'], query: PageQuery },
  )

const listOf = (rows: readonly DisownedRow[]): VNode => (
  <Table
    caption="What customers disowned"
    columns={['Disowned', 'What', 'Pro', 'By the owner of', 'Made by']}
    rows={rows.map((row) => [
      <Time instant={row.disownedAt} />,
      <>
        {LABELS[row.kind]}
        <br />
        <span class="hint">
          {row.status ?? 'deleted'}, {row.id}
        </span>
      </>,
      <a href={`/pros/${row.slug}`}>{row.businessName}</a>,
      row.email ?? 'deleted',
      <>
        {row.account ?? 'deleted'}
        {row.accountKind !== null && <> ({row.accountKind})</>}
        <br />
        <span class="hint">
          {row.madeAt !== null && (
            <>
              <Time instant={row.madeAt} />
            </>
          )}
          {row.source !== null && <>, by {row.source}</>}
        </span>
      </>,
    ])}
  />
)

const LABELS: Record<DisownedRow['kind'], string> = { booking: 'Booking', request: 'Request', review: 'Review' }

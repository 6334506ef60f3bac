/** @jsxImportSource preact */
// /console/proposals: changes that agents propose; the pro confirms or dismisses them.
import { Elysia } from 'elysia'

import type { Deps } from '../../deps.ts'
import {
  type Difference,
  type Proposal,
  ProposalParams,
  ProposalsQuery,
} from '../../features/agents/proposals/schemas.ts'
import { confirmProposal, dismissProposal, listProposals } from '../../features/agents/proposals/verbs/proposals.ts'
import { guard } from '../../http/guard.ts'
import { type Session, actingProOf } from '../../http/session.ts'
import { renderConsolePage } from '../ui/responses.tsx'
import { runAction } from '../ui/submit.ts'
import { Time } from '../ui/time.tsx'
import { ActionButton } from '../ui/form.tsx'
import type { ComponentChildren, VNode } from 'preact'
import { type Tone, Badge } from '../ui/badge.tsx'
import { EmptyState, Pager, Tabs } from '../ui/lists.tsx'
import { PageHeading } from '../ui/headings.tsx'
import { Distance } from '../ui/site.tsx'
import { Table } from '../ui/table.tsx'

const PATH = '/console/proposals'
const session = ['pro'] as const

export const proposalPages = (deps: Deps) =>
  new Elysia({ name: 'proposal-pages' })
    .use(guard(deps))
    .get(
      PATH,
      async function getProposals({ ctx, authenticated: by, query }) {
        const status = query.status ?? 'open'
        const { proposals, meta } = await listProposals(ctx.as(actingProOf(by)), { ...query, status })
        const content = (
          <>
            <PageHeading>Proposals</PageHeading>
            <Tabs
              label="Proposals by status"
              path={PATH}
              parameter="status"
              chosen={status === 'open' ? '' : status}
              choices={TABS}
            />
            {proposals.length === 0 ? (
              <EmptyState title="No proposals">
                Changes that your agents propose appear here. Nothing changes until you confirm.
              </EmptyState>
            ) : (
              <ul class="entries">{proposals.map((proposal) => entryOf(by.session, proposal))}</ul>
            )}
            <Pager path={PATH} meta={meta} query={{ status }} />
          </>
        )
        return renderConsolePage(ctx, by, { title: 'Proposals', content })
      },
      { session, query: ProposalsQuery },
    )
    .post(
      `${PATH}/:id/confirm`,
      async function postProposalConfirmation({ ctx, authenticated: by, params: { id } }) {
        return await runAction(ctx, by, PATH, async () => {
          const value = await confirmProposal(ctx.as(actingProOf(by)), { id })
          return `Done: ${value.summary}`
        })
      },
      { session, params: ProposalParams },
    )
    .post(
      `${PATH}/:id/dismiss`,
      async function postProposalDismissal({ ctx, authenticated: by, params: { id } }) {
        return await runAction(ctx, by, PATH, async () => {
          await dismissProposal(ctx.as(actingProOf(by)), { id })
          return 'The proposal is dismissed. Nothing was changed.'
        })
      },
      { session, params: ProposalParams },
    )

const STATES: Record<Proposal['status'], { label: string; tone: Tone }> = {
  open: { label: 'Open', tone: 'wait' },
  confirmed: { label: 'Confirmed', tone: 'good' },
  dismissed: { label: 'Dismissed', tone: 'plain' },
  conflict: { label: 'Conflict', tone: 'bad' },
  expired: { label: 'Expired', tone: 'plain' },
}

const TABS = Object.entries(STATES).map(([value, { label }]) => ({ value: value === 'open' ? '' : value, label }))

const entryOf = (session: Session, proposal: Proposal): VNode => (
  <li class="entry">
    <p>
      <strong>{proposal.summary}</strong>{' '}
      <Badge tone={STATES[proposal.status].tone}>{STATES[proposal.status].label}</Badge>
    </p>
    <Table
      caption="Proposed changes"
      columns={['Field', 'Now', 'Proposed']}
      rows={proposal.differences.map(differenceRow)}
    />
    {proposal.conflict && <p class="fault">{proposal.conflict.reason}</p>}
    <p class="hint">
      Proposed <Time instant={proposal.createdAt} />
      {proposal.status === 'open' && (
        <>
          , valid until <Time instant={proposal.expiresAt} />
        </>
      )}
    </p>
    {proposal.status === 'open' && (
      <div class="actions">
        <ActionButton session={session} action={`${PATH}/${proposal.id}/confirm`} label="Confirm" look="plain" />
        <ActionButton session={session} action={`${PATH}/${proposal.id}/dismiss`} label="Dismiss" />
      </div>
    )}
  </li>
)

const differenceRow = ({ field, before, after }: Difference) => [
  <div>{inWords(field)}</div>,
  <div class="text before">{readable(field, before)}</div>,
  <div class="text after">{readable(field, after)}</div>,
]

/** The unit of a distance is that of the region. */
const IN_MILES = /Miles$/

/** "years of experience", from "yearsOfExperience". */
const inWords = (field: string): string =>
  field
    .replace(IN_MILES, '')
    .replaceAll(/([A-Z])/g, ' $1')
    .toLowerCase()

function readable(field: string, value: unknown): ComponentChildren {
  if (IN_MILES.test(field) && typeof value === 'number') return <Distance miles={value} />
  if (value === null || value === undefined || value === '') return '–'
  if (typeof value === 'string') return value
  return JSON.stringify(value, null, 1)
}

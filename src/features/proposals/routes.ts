// /pro/proposals: changes that the pro's agent proposed, for the pro to confirm or dismiss.
import { Elysia } from 'elysia'

import type { Deps } from '../../deps.ts'
import { guard } from '../../http/guard.ts'
import { problems, returns } from '../../http/responses.ts'
import { markReplayed } from '../../http/idempotency.ts'
import { ProposalAnswer, ProposalList, ProposalParams, ProposalsQuery } from './schemas.ts'
import { confirmProposal, dismissProposal, getProposal, listProposals } from './verbs/proposals.ts'

const tags = ['Pro proposals']
const NOT_FOUND = { ...problems({ 404: 'You have no proposal with this id' }) }

export const proposalRoutes = (deps: Deps) =>
  new Elysia({ name: 'proposals', prefix: '/pro/proposals' })
    .use(guard(deps))
    .get(
      '',
      async function getProposals({ query, caller }) {
        return await listProposals(deps, caller, query)
      },
      {
        proKey: 'pro:read',
        query: ProposalsQuery,
        response: { 200: returns('One page, newest first', ProposalList) },
        detail: { tags, summary: 'List your agent’s proposals' },
      },
    )
    .get(
      '/:id',
      async function getOneProposal({ params, caller }) {
        return { proposal: await getProposal(deps, caller, params.id) }
      },
      {
        proKey: 'pro:read',
        params: ProposalParams,
        response: { 200: returns('The proposal', ProposalAnswer), ...NOT_FOUND },
        detail: { tags, summary: 'Get a proposal' },
      },
    )
    .post(
      '/:id/confirm',
      async function postProposalConfirm({ params, caller, idempotency, request }) {
        return { proposal: markReplayed(request, await confirmProposal(deps, caller, params.id, idempotency)) }
      },
      {
        proKey: 'pro:write',
        idempotent: true,
        params: ProposalParams,
        response: {
          200: returns('The change has been made', ProposalAnswer),
          ...NOT_FOUND,
          ...problems({ 409: 'The proposal is not open, or its content has changed since' }),
        },
        detail: {
          tags,
          summary: 'Confirm a proposal',
          description:
            'Makes exactly the change that the proposal shows. If that is not possible any more, nothing changes.',
        },
      },
    )
    .post(
      '/:id/dismiss',
      async function postProposalDismiss({ params, caller, idempotency, request }) {
        return { proposal: markReplayed(request, await dismissProposal(deps, caller, params.id, idempotency)) }
      },
      {
        proKey: 'pro:write',
        idempotent: true,
        params: ProposalParams,
        response: {
          200: returns('The proposal has been dismissed', ProposalAnswer),
          ...NOT_FOUND,
          ...problems({ 409: 'The proposal is not open' }),
        },
        detail: { tags, summary: 'Dismiss a proposal' },
      },
    )

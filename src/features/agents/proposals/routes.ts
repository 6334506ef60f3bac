// /pro/proposals: changes that the pro's agent proposed, for the pro to confirm or dismiss.
import { Elysia } from 'elysia'

import type { Deps } from '../../../deps.ts'
import { guard } from '../../../http/guard.ts'
import { problems, returns } from '../../../http/responses.ts'
import { ProposalAnswer, ProposalList, ProposalParams, ProposalsQuery } from './schemas.ts'
import { confirmProposal, dismissProposal, getProposal, listProposals } from './verbs/proposals.ts'

const tags = ['Pro proposals']
const NOT_FOUND = { ...problems({ 404: 'You have no proposal with this id' }) }

export const proposalRoutes = (deps: Deps) =>
  new Elysia({ name: 'proposals', prefix: '/pro/proposals' })
    .use(guard(deps))
    .get(
      '',
      async function getProposals({ ctx, query }) {
        return await listProposals(ctx, query)
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
      async function getOneProposal({ ctx, params }) {
        return { proposal: await getProposal(ctx, { id: params.id }) }
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
      async function postProposalConfirm({ ctx, params }) {
        return { proposal: await confirmProposal(ctx, { id: params.id }) }
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
      async function postProposalDismiss({ ctx, params }) {
        return { proposal: await dismissProposal(ctx, { id: params.id }) }
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

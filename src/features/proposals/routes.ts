// /pro/proposals: changes that the pro's agent proposed, for the pro to confirm or dismiss.
import { Elysia } from 'elysia'

import type { Deps } from '../../deps.ts'
import { proKey } from '../../auth/access.ts'
import { guard } from '../../http/guard.ts'
import { markReplayed } from '../../http/idempotency.ts'
import { json } from '../../http/json.ts'
import { proOf } from '../../auth/pro-caller.ts'
import { ProposalAnswer, ProposalList, ProposalParams, ProposalsQuery } from './schemas.ts'
import { confirmProposal, dismissProposal, getProposal, listProposals } from './verbs/proposals.ts'

const tags = ['Pro proposals']
const NOT_FOUND = { 404: { description: 'You have no proposal with this id' } }

export const proposalRoutes = (deps: Deps) =>
  new Elysia({ name: 'proposals', prefix: '/pro/proposals' })
    .use(guard(deps))
    .get(
      '',
      async function getProposals({ query, caller }) {
        return json(await listProposals(deps, proOf(caller), query))
      },
      {
        access: proKey('pro:read'),
        query: ProposalsQuery,
        answers: { 200: { description: 'One page, newest first', schema: ProposalList } },
        detail: { tags, summary: 'List your agent’s proposals' },
      },
    )
    .get(
      '/:id',
      async function getOneProposal({ params, caller }) {
        return json({ proposal: await getProposal(deps, proOf(caller), params.id) })
      },
      {
        access: proKey('pro:read'),
        params: ProposalParams,
        answers: { 200: { description: 'The proposal', schema: ProposalAnswer }, ...NOT_FOUND },
        detail: { tags, summary: 'Get a proposal' },
      },
    )
    .post(
      '/:id/confirm',
      async function postProposalConfirm({ params, caller, idempotency, request }) {
        return json({
          proposal: markReplayed(request, await confirmProposal(deps, proOf(caller), params.id, idempotency)),
        })
      },
      {
        access: proKey('pro:write'),
        idempotent: true,
        params: ProposalParams,
        answers: {
          200: { description: 'The change has been made', schema: ProposalAnswer },
          ...NOT_FOUND,
          409: { description: 'The proposal is not open, or its content has changed since' },
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
        return json({
          proposal: markReplayed(request, await dismissProposal(deps, proOf(caller), params.id, idempotency)),
        })
      },
      {
        access: proKey('pro:write'),
        idempotent: true,
        params: ProposalParams,
        answers: {
          200: { description: 'The proposal has been dismissed', schema: ProposalAnswer },
          ...NOT_FOUND,
          409: { description: 'The proposal is not open' },
        },
        detail: { tags, summary: 'Dismiss a proposal' },
      },
    )

// GET and POST /pro/team, DELETE /pro/team/{id}.
import { Elysia } from 'elysia'

import type { Deps } from '../../../deps.ts'
import { guard } from '../../../http/guard.ts'
import { problems, returns } from '../../../http/responses.ts'
import { PageQuery } from '../../../platform/schema/paging.ts'
import { MemberAdded, MemberList, MemberParams, NewMember } from './schemas.ts'
import { addMember, listTeam, removeMember } from './verbs/team.ts'

export const memberRoutes = (deps: Deps) =>
  new Elysia({ name: 'members', prefix: '/pro/team' })
    .use(guard(deps))
    .get(
      '',
      async function getTeam({ ctx, query }) {
        return await listTeam(ctx, query)
      },
      {
        proKey: 'pro:read',
        query: PageQuery,
        response: { 200: returns('One page of the team, newest first', MemberList) },
        detail: { tags: ['Pro settings'], summary: 'The pro’s team' },
      },
    )
    .post(
      '',
      async function postMember({ ctx, body, status }) {
        return status(201, await addMember(ctx, body))
      },
      {
        proKey: 'pro:write',
        idempotent: true,
        body: NewMember,
        response: {
          201: returns('Added', MemberAdded),
          ...problems({ 409: 'A team member already has this e-mail address' }),
        },
        detail: {
          tags: ['Pro settings'],
          summary: 'Add a member to the team',
          description: 'The booking action `assign` assigns a booking to a member.',
        },
      },
    )
    .delete(
      '/:id',
      async function deleteMember({ ctx, params }) {
        await removeMember(ctx, { id: params.id })
        return new Response(null, { status: 204 })
      },
      {
        proKey: 'pro:write',
        params: MemberParams,
        response: {
          204: returns('Removed; their upcoming bookings become unassigned, and their log-in ends'),
          ...problems({
            404: 'No active member of this team has this id',
            409: 'The member is the last owner who can log in',
          }),
        },
        detail: { tags: ['Pro settings'], summary: 'Remove a member from the team' },
      },
    )

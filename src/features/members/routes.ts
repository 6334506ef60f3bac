// GET and POST /pro/team, DELETE /pro/team/{id}.
import { Elysia } from 'elysia'

import type { Deps } from '../../deps.ts'
import { proKey } from '../../auth/access.ts'
import { guard } from '../../http/guard.ts'
import { markReplayed } from '../../http/idempotency.ts'
import { json } from '../../http/json.ts'
import { proOf } from '../../auth/pro-caller.ts'
import { PageQuery } from '../../platform/schema/paging.ts'
import { MemberAdded, MemberList, MemberParams, NewMember } from './schemas.ts'
import { addMember, listTeam, removeMember } from './verbs.ts'

export const memberRoutes = (deps: Deps) =>
  new Elysia({ name: 'members', prefix: '/pro/team' })
    .use(guard(deps))
    .get(
      '',
      async function getTeam({ query, caller }) {
        return json(await listTeam(deps, proOf(caller), query))
      },
      {
        access: proKey('pro:read'),
        query: PageQuery,
        answers: { 200: { description: 'One page of the team, newest first', schema: MemberList } },
        detail: { tags: ['Pro settings'], summary: 'The pro’s team' },
      },
    )
    .post(
      '',
      async function postMember({ body, caller, idempotency, request }) {
        return json(markReplayed(request, await addMember(deps, proOf(caller), body, idempotency)), { status: 201 })
      },
      {
        access: proKey('pro:write'),
        idempotent: true,
        body: NewMember,
        answers: {
          201: { description: 'Added', schema: MemberAdded },
          409: { description: 'A team member already has this e-mail address' },
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
      async function deleteMember({ params, caller }) {
        await removeMember(deps, proOf(caller), params.id)
        return new Response(null, { status: 204 })
      },
      {
        access: proKey('pro:write'),
        params: MemberParams,
        answers: {
          204: { description: 'Removed; their upcoming bookings become unassigned' },
          404: { description: 'No active member of this team has this id' },
        },
        detail: { tags: ['Pro settings'], summary: 'Remove a member from the team' },
      },
    )

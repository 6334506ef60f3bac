// /pro/availability: a pro's settings, hours and blocks. Spec §4.6.
import { Elysia } from 'elysia'

import type { Deps } from '../../deps.ts'
import { proKey } from '../../auth/access.ts'
import { guard } from '../../http/guard.ts'
import { markReplayed } from '../../http/idempotency.ts'
import { json } from '../../http/json.ts'
import { proOf } from '../../auth/pro-caller.ts'
import { BlockCreated, BlockParams, NewBlock, Schedule, ScheduleChange } from './schemas.ts'
import { changeSchedule, createBlock, deleteBlock, getSchedule } from './verbs.ts'

const tags = ['Pro settings']

export const scheduleRoutes = (deps: Deps) =>
  new Elysia({ name: 'schedule', prefix: '/pro/availability' })
    .use(guard(deps))
    .get(
      '',
      async function getProAvailability({ caller }) {
        return json(await getSchedule(deps, proOf(caller)))
      },
      {
        access: proKey('pro:read'),
        answers: { 200: { description: 'Settings, and blocks that are not over', schema: Schedule } },
        detail: { tags, summary: 'When the pro works' },
      },
    )
    .patch(
      '',
      async function patchProAvailability({ caller, body }) {
        return json(await changeSchedule(deps, proOf(caller), body))
      },
      {
        access: proKey('pro:write'),
        body: ScheduleChange,
        answers: { 200: { description: 'The schedule as it is now', schema: Schedule } },
        detail: { tags, summary: 'Change booking settings or business hours' },
      },
    )
    .post(
      '',
      async function postProBlock({ caller, body, idempotency, request }) {
        return json(markReplayed(request, await createBlock(deps, proOf(caller), body, idempotency)), { status: 201 })
      },
      {
        access: proKey('pro:write'),
        idempotent: true,
        body: NewBlock,
        answers: { 201: { description: 'The time is blocked', schema: BlockCreated } },
        detail: { tags, summary: 'Block time' },
      },
    )
    .delete(
      '/:id',
      async function removeProBlock({ caller, params }) {
        await deleteBlock(deps, proOf(caller), params.id)
        return new Response(null, { status: 204 })
      },
      {
        access: proKey('pro:write'),
        params: BlockParams,
        answers: { 204: { description: 'The time is free again' }, 404: { description: 'No such block' } },
        detail: { tags, summary: 'Delete a block' },
      },
    )

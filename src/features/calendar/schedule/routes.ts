// The /pro/availability routes: settings, business hours and blocks (spec §4.6).
import { Elysia } from 'elysia'

import type { Deps } from '../../../deps.ts'
import { guard } from '../../../http/guard.ts'
import { problems, returns } from '../../../http/responses.ts'
import { BlockCreated, BlockParams, NewBlock, Schedule, ScheduleChange } from './schemas.ts'
import { changeSchedule, createBlock, deleteBlock, getSchedule } from './verbs.ts'

const tags = ['Pro settings']

export const scheduleRoutes = (deps: Deps) =>
  new Elysia({ name: 'schedule', prefix: '/pro/availability' })
    .use(guard(deps))
    .get(
      '',
      async function getProAvailability({ ctx }) {
        return await getSchedule(ctx)
      },
      {
        proKey: 'pro:read',
        response: { 200: returns('Settings, and current and future blocks', Schedule) },
        detail: { tags, summary: 'Get the pro’s schedule' },
      },
    )
    .patch(
      '',
      async function patchProAvailability({ ctx, body }) {
        return await changeSchedule(ctx, body)
      },
      {
        proKey: 'pro:write',
        body: ScheduleChange,
        response: { 200: returns('The changed schedule', Schedule) },
        detail: { tags, summary: 'Change booking settings or business hours' },
      },
    )
    .post(
      '',
      async function postProBlock({ ctx, body, status }) {
        return status(201, await createBlock(ctx, body))
      },
      {
        proKey: 'pro:write',
        idempotent: true,
        body: NewBlock,
        response: { 201: returns('The time is blocked', BlockCreated) },
        detail: { tags, summary: 'Block time' },
      },
    )
    .delete(
      '/:id',
      async function removeProBlock({ ctx, params }) {
        await deleteBlock(ctx, { id: params.id })
        return new Response(null, { status: 204 })
      },
      {
        proKey: 'pro:write',
        params: BlockParams,
        response: { 204: returns('Deleted'), ...problems({ 404: 'You have no block with this id' }) },
        detail: { tags, summary: 'Delete a block' },
      },
    )

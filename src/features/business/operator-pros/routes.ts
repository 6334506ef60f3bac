// The routes /platform/pros: what operators' programs do with pros.
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'

import type { Deps } from '../../../deps.ts'
import { guard } from '../../../http/guard.ts'
import { problems, returns } from '../../../http/responses.ts'
import { Uuid } from '../../../platform/schema/types.ts'
import { getOpenWork } from '../closing/verbs/close.ts'
import {
  NewMarks,
  NewPlatformPro,
  NewProStatus,
  NewRefusal,
  PlatformProAnswer,
  PlatformProCreated,
  PlatformProList,
  PlatformProsQuery,
  ProOpenWork,
} from './schemas.ts'
import {
  changeProStatusAsOperator,
  createProAsOperator,
  getProAsOperator,
  inviteProAsOperator,
  listProsAsOperator,
  refuseVerificationAsOperator,
  setMarksAsOperator,
} from './verbs.ts'

const tags = ['Platform pros']
const params = Type.Object({ id: Uuid({ description: 'The id of the pro' }) })
const NO_PRO = 'No pro has this id'

export const operatorProRoutes = (deps: Deps) =>
  new Elysia({ name: 'operator-pros', prefix: '/platform/pros' })
    .use(guard(deps))
    .get(
      '',
      async function getPlatformPros({ ctx, query }) {
        return await listProsAsOperator(ctx, query)
      },
      {
        operatorKey: 'platform:read',
        query: PlatformProsQuery,
        response: { 200: returns('One page, in the order in which they came', PlatformProList) },
        detail: {
          tags,
          summary: 'List the pros',
          description: 'All pros of the marketplace, also those who are paused or closed. Pages follow by `cursor`.',
        },
      },
    )
    .post(
      '',
      async function postPlatformPro({ ctx, body, status }) {
        return status(201, await createProAsOperator(ctx, body))
      },
      {
        operatorKey: 'platform:write',
        idempotent: true,
        body: NewPlatformPro,
        response: { 201: returns('Created', PlatformProCreated) },
        detail: {
          tags,
          summary: 'Create a pro',
          description:
            'The pro is active at once, and is found once there is a service. For hundreds of pros, the command `hearth pros import` reads a file.',
        },
      },
    )
    .get(
      '/:id',
      async function getPlatformPro({ ctx, params }) {
        return { pro: await getProAsOperator(ctx, params) }
      },
      {
        operatorKey: 'platform:read',
        params,
        response: { 200: returns('The pro', PlatformProAnswer), ...problems({ 404: NO_PRO }) },
        detail: { tags, summary: 'Get a pro' },
      },
    )
    .get(
      '/:id/open-work',
      async function getPlatformProOpenWork({ ctx, params }) {
        const { refunds, ...work } = await getOpenWork(ctx, { professionalId: params.id })
        return { ...work, refunds: [...refunds] }
      },
      {
        operatorKey: 'platform:read',
        params,
        response: { 200: returns('What closing would end', ProOpenWork), ...problems({ 404: NO_PRO }) },
        detail: { tags, summary: 'See what closing the account of a pro would end' },
      },
    )
    .use(changes(deps))

const changes = (deps: Deps) =>
  new Elysia({ name: 'operator-pro-changes' })
    .use(guard(deps))
    .post(
      '/:id/status',
      async function postPlatformProStatus({ ctx, params, body }) {
        return await changeProStatusAsOperator(ctx, { ...params, ...body })
      },
      {
        operatorKey: 'platform:write',
        idempotent: true,
        params,
        body: NewProStatus,
        response: {
          200: returns('The pro after the action', PlatformProAnswer),
          ...problems({ 404: NO_PRO, 409: 'The state of the pro does not allow this action' }),
        },
        detail: {
          tags,
          summary: 'Pause, resume, close or reopen a pro',
          description:
            'A paused pro keeps the visits that are booked. Closing cancels and refunds open work, ends keys and log-ins, and erases the rest after 30 days, until which the account can be reopened; it is paused then. The pro is told.',
        },
      },
    )
    .put(
      '/:id/marks',
      async function putPlatformProMarks({ ctx, params, body }) {
        return await setMarksAsOperator(ctx, { ...params, ...body })
      },
      {
        operatorKey: 'platform:write',
        params,
        body: NewMarks,
        response: { 200: returns('The pro with the marks', PlatformProAnswer), ...problems({ 404: NO_PRO }) },
        detail: {
          tags,
          summary: 'Set what was checked of a pro',
          description: 'Search shows it at once, and the pro is told. Verifying a pro ends the request to be verified.',
        },
      },
    )
    .post(
      '/:id/verification/refuse',
      async function postPlatformProRefusal({ ctx, params, body }) {
        return await refuseVerificationAsOperator(ctx, { ...params, ...body })
      },
      {
        operatorKey: 'platform:write',
        idempotent: true,
        params,
        body: NewRefusal,
        response: {
          200: returns('The pro, who may ask again', PlatformProAnswer),
          ...problems({ 404: NO_PRO, 409: 'No request of the pro waits' }),
        },
        detail: { tags, summary: 'Refuse a pro’s request to be verified' },
      },
    )
    .post(
      '/:id/invitation',
      async function postPlatformProInvitation({ ctx, params, status }) {
        return status(201, await inviteProAsOperator(ctx, params))
      },
      {
        operatorKey: 'platform:write',
        idempotent: true,
        params,
        response: {
          201: returns('Invited: a message with a link goes to the owner', PlatformProAnswer),
          ...problems({ 404: NO_PRO, 409: 'The owner has a log-in already, or the account is closed' }),
        },
        detail: { tags, summary: 'Invite the owner of a pro to choose a password' },
      },
    )

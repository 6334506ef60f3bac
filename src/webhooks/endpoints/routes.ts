// /webhooks: an account's endpoints, their deliveries, and the verification of signatures.
import { Elysia } from 'elysia'

import type { Deps } from '../../deps.ts'
import { withKey } from '../../auth/access.ts'
import { callerOf, guard } from '../../http/guard.ts'
import { markReplayed } from '../../http/idempotency.ts'
import { json } from '../../http/json.ts'
import { PageQuery } from '../../platform/schema/paging.ts'
import { getDelivery, listDeliveries, replayMany, replayOne, sendTest, verifySignature } from './verbs/deliveries.ts'
import {
  DeliveryDetail,
  DeliveryList,
  DeliveryParams,
  DeliveryQuery,
  NewWebhook,
  ReplayInput,
  ReplayResult,
  TestSent,
  SignatureInput,
  Verification,
  Webhook,
  WebhookChange,
  WebhookList,
  WebhookParams,
  WebhookWithSecret,
} from './schemas.ts'
import {
  updateWebhook,
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  rotateSecret,
} from './verbs/endpoints.ts'

const access = withKey('webhooks:manage')
const tags = ['Webhooks']
const notFound = { 404: { description: 'No such endpoint' } }
const isDisabled = { 409: { description: 'The endpoint is disabled' } }

export const webhookRoutes = (deps: Deps) =>
  new Elysia({ name: 'webhooks', prefix: '/webhooks' })
    .use(guard(deps))
    .post(
      '/verify',
      async function postWebhookVerification({ caller, body }) {
        return json(await verifySignature(deps, callerOf(caller).accountId, body))
      },
      {
        access: withKey('webhook:sign'),
        body: SignatureInput,
        answers: {
          200: { description: 'Whether the signature is valid, or why not', schema: Verification },
          ...notFound,
        },
        detail: {
          tags,
          summary: 'Verify a signature',
          description:
            'For developing a receiver. In production a receiver verifies signatures itself, with the secret of its endpoint.',
        },
      },
    )
    .use(deliveryRoutes(deps))
    .use(endpointRoutes(deps))

const endpointRoutes = (deps: Deps) =>
  new Elysia({ name: 'webhook-endpoints' })
    .use(guard(deps))
    .get(
      '',
      async function getWebhooks({ caller, query }) {
        return json(await listWebhooks(deps, callerOf(caller).accountId, query))
      },
      {
        access,
        query: PageQuery,
        answers: { 200: { description: 'One page of endpoints, newest first', schema: WebhookList } },
        detail: { tags, summary: 'Your webhook endpoints' },
      },
    )
    .post(
      '',
      async function postWebhook({ caller, body, idempotency, request }) {
        const outcome = await createWebhook(deps, callerOf(caller).accountId, body, idempotency)
        const created = markReplayed(request, outcome)
        return json(created, { status: 201, headers: { location: `/api/v1/webhooks/${created.id}` } })
      },
      {
        access,
        idempotent: true,
        body: NewWebhook,
        answers: {
          201: { description: 'Created. The secret is shown only once', schema: WebhookWithSecret },
          409: { description: 'The account has reached the maximum number of endpoints' },
        },
        detail: {
          tags,
          summary: 'Add a webhook endpoint',
          description:
            'It receives the events about everything this account’s keys created and, for a pro, about the pro. Earlier events are not sent.',
        },
      },
    )
    .get(
      '/:id',
      async function getOneWebhook({ caller, params }) {
        return json(await getWebhook(deps, callerOf(caller).accountId, params.id))
      },
      {
        access,
        params: WebhookParams,
        answers: { 200: { description: 'The endpoint', schema: Webhook }, ...notFound },
        detail: { tags, summary: 'One webhook endpoint' },
      },
    )
    .patch(
      '/:id',
      async function patchWebhook({ caller, params, body }) {
        return json(await updateWebhook(deps, callerOf(caller).accountId, params.id, body))
      },
      {
        access,
        params: WebhookParams,
        body: WebhookChange,
        answers: { 200: { description: 'The changed endpoint', schema: Webhook }, ...notFound },
        detail: { tags, summary: 'Change a webhook endpoint' },
      },
    )
    .post(
      '/:id/rotate-secret',
      async function postWebhookRotation({ caller, params, idempotency, request }) {
        return json(
          markReplayed(request, await rotateSecret(deps, callerOf(caller).accountId, params.id, idempotency)),
          { status: 201 },
        )
      },
      {
        access,
        idempotent: true,
        params: WebhookParams,
        answers: {
          201: { description: 'The endpoint with its new secret, shown only once', schema: WebhookWithSecret },
          ...notFound,
        },
        detail: {
          tags,
          summary: 'Rotate the secret of an endpoint',
          description:
            'For 24 hours each delivery is signed with both secrets, so that the receiver can switch without downtime.',
        },
      },
    )
    .delete(
      '/:id',
      async function removeWebhook({ caller, params }) {
        await deleteWebhook(deps, callerOf(caller).accountId, params.id)
        return new Response(null, { status: 204 })
      },
      {
        access,
        params: WebhookParams,
        answers: { 204: { description: 'Deleted, with its deliveries' }, ...notFound },
        detail: { tags, summary: 'Delete a webhook endpoint' },
      },
    )

const deliveryRoutes = (deps: Deps) =>
  new Elysia({ name: 'webhook-deliveries' })
    .use(guard(deps))
    .post(
      '/:id/test',
      async function postWebhookTest({ caller, params, idempotency, request }) {
        return json(markReplayed(request, await sendTest(deps, callerOf(caller).accountId, params.id, idempotency)), {
          status: 201,
        })
      },
      {
        access,
        idempotent: true,
        params: WebhookParams,
        answers: { 201: { description: 'The test event is on its way', schema: TestSent }, ...notFound, ...isDisabled },
        detail: { tags, summary: 'Send a test event', description: 'Its type is `webhook.test`.' },
      },
    )
    .get(
      '/:id/deliveries',
      async function getDeliveries({ caller, params, query }) {
        return json(await listDeliveries(deps, callerOf(caller).accountId, params.id, query))
      },
      {
        access,
        params: WebhookParams,
        query: DeliveryQuery,
        answers: { 200: { description: 'One page of deliveries, newest first', schema: DeliveryList }, ...notFound },
        detail: { tags, summary: 'Deliveries of an endpoint, with every attempt' },
      },
    )
    .get(
      '/:id/deliveries/:eventId',
      async function getOneDelivery({ caller, params }) {
        return json(await getDelivery(deps, callerOf(caller).accountId, params.id, params.eventId))
      },
      {
        access,
        params: DeliveryParams,
        answers: {
          200: { description: 'The delivery, with its body and the responses', schema: DeliveryDetail },
          404: { description: 'No such delivery' },
        },
        detail: { tags, summary: 'One delivery' },
      },
    )
    .post(
      '/:id/deliveries/:eventId/replay',
      async function postDeliveryReplay({ caller, params }) {
        return json(await replayOne(deps, callerOf(caller).accountId, params.id, params.eventId))
      },
      {
        access,
        params: DeliveryParams,
        answers: {
          200: { description: 'The event is sent again', schema: DeliveryDetail },
          404: { description: 'No such delivery' },
          ...isDisabled,
        },
        detail: { tags, summary: 'Send an event again', description: 'Under the same id, with fresh retries.' },
      },
    )
    .post(
      '/:id/replay',
      async function postWebhookReplay({ caller, params, body }) {
        return json(await replayMany(deps, callerOf(caller).accountId, params.id, body))
      },
      {
        access,
        params: WebhookParams,
        body: ReplayInput,
        answers: {
          200: { description: 'The events are sent again', schema: ReplayResult },
          ...notFound,
          ...isDisabled,
        },
        detail: {
          tags,
          summary: 'Send the events of a period again',
          description: 'Oldest first, under the same ids.',
        },
      },
    )

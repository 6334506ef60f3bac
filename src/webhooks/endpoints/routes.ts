// /webhooks: an account's endpoints, their deliveries, and the verification of signatures.
import { Elysia } from 'elysia'

import type { Deps } from '../../deps.ts'
import { guard } from '../../http/guard.ts'
import { problems, returns } from '../../http/responses.ts'
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
  changeWebhook,
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  rotateSecret,
} from './verbs/endpoints.ts'

const scopes = ['webhooks:manage'] as const
const tags = ['Webhooks']
const notFound = { ...problems({ 404: 'No such endpoint' }) }
const isDisabled = { ...problems({ 409: 'The endpoint is disabled' }) }

export const webhookRoutes = (deps: Deps) =>
  new Elysia({ name: 'webhooks', prefix: '/webhooks' })
    .use(guard(deps))
    .post(
      '/verify',
      async function postWebhookVerification({ ctx, body }) {
        return await verifySignature(ctx, body)
      },
      {
        withKey: ['webhook:sign'],
        body: SignatureInput,
        response: {
          200: returns('Whether the signature is valid, or why not', Verification),
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
      async function getWebhooks({ ctx, query }) {
        return await listWebhooks(ctx, query)
      },
      {
        withKey: scopes,
        query: PageQuery,
        response: { 200: returns('One page of endpoints, newest first', WebhookList) },
        detail: { tags, summary: 'Your webhook endpoints' },
      },
    )
    .post(
      '',
      async function postWebhook({ ctx, body, set, status }) {
        const outcome = await createWebhook(ctx, body)
        const created = outcome
        set.headers.location = `/api/v1/webhooks/${created.id}`
        return status(201, created)
      },
      {
        withKey: scopes,
        idempotent: true,
        body: NewWebhook,
        response: {
          201: returns('Created. The secret is shown only once', WebhookWithSecret),
          ...problems({ 409: 'The account has reached the maximum number of endpoints' }),
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
      async function getOneWebhook({ ctx, params }) {
        return await getWebhook(ctx, { id: params.id })
      },
      {
        withKey: scopes,
        params: WebhookParams,
        response: { 200: returns('The endpoint', Webhook), ...notFound },
        detail: { tags, summary: 'One webhook endpoint' },
      },
    )
    .patch(
      '/:id',
      async function patchWebhook({ ctx, params, body }) {
        return await changeWebhook(ctx, { ...body, id: params.id })
      },
      {
        withKey: scopes,
        params: WebhookParams,
        body: WebhookChange,
        response: { 200: returns('The changed endpoint', Webhook), ...notFound },
        detail: { tags, summary: 'Change a webhook endpoint' },
      },
    )
    .post(
      '/:id/rotate-secret',
      async function postWebhookRotation({ ctx, params, status }) {
        const outcome = await rotateSecret(ctx, { id: params.id })
        return status(201, outcome)
      },
      {
        withKey: scopes,
        idempotent: true,
        params: WebhookParams,
        response: {
          201: returns('The endpoint with its new secret, shown only once', WebhookWithSecret),
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
      async function removeWebhook({ ctx, params }) {
        await deleteWebhook(ctx, { id: params.id })
        return new Response(null, { status: 204 })
      },
      {
        withKey: scopes,
        params: WebhookParams,
        response: { 204: returns('Deleted, with its deliveries'), ...notFound },
        detail: { tags, summary: 'Delete a webhook endpoint' },
      },
    )

const deliveryRoutes = (deps: Deps) =>
  new Elysia({ name: 'webhook-deliveries' })
    .use(guard(deps))
    .post(
      '/:id/test',
      async function postWebhookTest({ ctx, params, status }) {
        return status(201, await sendTest(ctx, { id: params.id }))
      },
      {
        withKey: scopes,
        idempotent: true,
        params: WebhookParams,
        response: { 201: returns('The test event is on its way', TestSent), ...notFound, ...isDisabled },
        detail: { tags, summary: 'Send a test event', description: 'Its type is `webhook.test`.' },
      },
    )
    .get(
      '/:id/deliveries',
      async function getDeliveries({ ctx, params, query }) {
        return await listDeliveries(ctx, { ...query, id: params.id })
      },
      {
        withKey: scopes,
        params: WebhookParams,
        query: DeliveryQuery,
        response: { 200: returns('One page of deliveries, newest first', DeliveryList), ...notFound },
        detail: { tags, summary: 'Deliveries of an endpoint, with every attempt' },
      },
    )
    .get(
      '/:id/deliveries/:eventId',
      async function getOneDelivery({ ctx, params }) {
        return await getDelivery(ctx, { id: params.id, eventId: params.eventId })
      },
      {
        withKey: scopes,
        params: DeliveryParams,
        response: {
          200: returns('The delivery, with its body and the responses', DeliveryDetail),
          ...problems({ 404: 'No such delivery' }),
        },
        detail: { tags, summary: 'One delivery' },
      },
    )
    .post(
      '/:id/deliveries/:eventId/replay',
      async function postDeliveryReplay({ ctx, params }) {
        return await replayOne(ctx, { id: params.id, eventId: params.eventId })
      },
      {
        withKey: scopes,
        idempotent: true,
        params: DeliveryParams,
        response: {
          200: returns('The event is sent again', DeliveryDetail),
          ...problems({ 404: 'No such delivery' }),
          ...isDisabled,
        },
        detail: { tags, summary: 'Send an event again', description: 'Under the same id, with fresh retries.' },
      },
    )
    .post(
      '/:id/replay',
      async function postWebhookReplay({ ctx, params, body }) {
        return await replayMany(ctx, { ...body, id: params.id })
      },
      {
        withKey: scopes,
        idempotent: true,
        params: WebhookParams,
        body: ReplayInput,
        response: {
          200: returns('The events are sent again', ReplayResult),
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

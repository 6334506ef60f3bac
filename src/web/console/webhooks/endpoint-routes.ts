// /console/webhooks: the account's webhook endpoints.
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'

import type { Ctx } from '../../../ctx.ts'
import type { Deps } from '../../../deps.ts'
import { listAccountDeliveries, sendTest } from '../../../webhooks/endpoints/verbs/deliveries.ts'
import { type DeliveryFilter, WebhookParams } from '../../../webhooks/endpoints/schemas.ts'
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  getOwnerOfWebhook,
  getWebhook,
  listAllWebhooks,
  rotateSecret,
} from '../../../webhooks/endpoints/verbs/endpoints.ts'
import { guard } from '../../../http/guard.ts'
import { type AuthenticatedRequest, accountOf, shownAccountOf } from '../../../http/session.ts'
import { OneOf } from '../../../platform/schema/types.ts'
import type { Flash } from '../../ui/flash.tsx'
import { renderConsolePage, redirectWithFlash } from '../../ui/responses.tsx'
import { runAction, runFormAction, submitForm } from '../../ui/submit.ts'
import { type FormState, EMPTY_FORM, idempotencyOfForm, formStatus } from '../../ui/form.tsx'
import { DeliveriesQuery, filterOf } from './delivery-query.ts'
import { WEBHOOKS_PATH as PATH, EndpointForm, endpointView, endpointListView } from './endpoint-view.tsx'

const session = ['developer', 'pro'] as const
const params = WebhookParams
const StatusForm = Type.Object({ status: OneOf(['enabled', 'disabled']) })

export const webhookPages = (deps: Deps) =>
  new Elysia({ name: 'webhook-pages' })
    .use(guard(deps))
    .get(
      PATH,
      async function getWebhooks({ ctx, authenticated }) {
        return await renderEndpointList(ctx, authenticated)
      },
      { session },
    )
    .post(
      PATH,
      async function postWebhook({ ctx, authenticated: by }) {
        return await submitForm(
          EndpointForm,
          by.form,
          async (input) => {
            const value = await createWebhook(ctx.as(shownAccountOf(by), idempotencyOfForm(by.form)), input)
            return redirectWithFlash(
              ctx,
              by.session,
              `${PATH}/${value.id}`,
              secretFlash('The endpoint is created.', value.secret),
            )
          },
          (formState) => renderEndpointList(ctx, by, formState),
        )
      },
      { session, form: EndpointForm },
    )
    .get(
      `${PATH}/:id`,
      async function getOneWebhook({ ctx, authenticated, params, query }) {
        return await renderEndpoint(ctx, authenticated, {
          id: params.id,
          filter: filterOf(query),
          isLive: query.live === '1',
        })
      },
      { session, params, query: DeliveriesQuery },
    )
    .post(
      `${PATH}/:id`,
      async function postWebhookChange({ ctx, authenticated: by, params: { id } }) {
        return await submitForm(
          EndpointForm,
          by.form,
          async (input) => {
            await changeWebhook(ctx.as({ accountId: await endpointAccountOf(ctx, by, id) }), { ...input, id })
            return redirectWithFlash(ctx, by.session, `${PATH}/${id}`, {
              tone: 'good',
              text: 'The endpoint is updated.',
            })
          },
          (formState) => renderEndpoint(ctx, by, { id, filter: {}, formState }),
        )
      },
      { session, params, form: EndpointForm },
    )
    .use(webhookActions(deps))

/** The actions of single buttons. */
const webhookActions = (deps: Deps) =>
  new Elysia({ name: 'webhook-actions' })
    .use(guard(deps))
    .post(
      `${PATH}/:id/status`,
      async function postWebhookStatus({ ctx, authenticated: by, params: { id } }) {
        return await runFormAction(ctx, by, `${PATH}/${id}`, StatusForm, async ({ status }) => {
          await changeWebhook(ctx.as({ accountId: await endpointAccountOf(ctx, by, id) }), { status, id })
          return status === 'enabled'
            ? 'The endpoint is enabled. Replay the events that it missed.'
            : 'The endpoint is disabled. It receives no more events.'
        })
      },
      { session, params, form: StatusForm },
    )
    .post(
      `${PATH}/:id/test`,
      async function postWebhookTest({ ctx, authenticated: by, params: { id } }) {
        return await runAction(ctx, by, `${PATH}/${id}`, async () => {
          await sendTest(ctx.as({ accountId: await endpointAccountOf(ctx, by, id) }), { id })
          return 'A test event is being sent.'
        })
      },
      { session, params },
    )
    .post(
      `${PATH}/:id/secret`,
      async function postWebhookSecret({ ctx, authenticated: by, params: { id } }) {
        return await runAction(ctx, by, `${PATH}/${id}`, async () => {
          const value = await rotateSecret(ctx.as({ accountId: await endpointAccountOf(ctx, by, id) }), { id })
          return secretFlash('The secret is rotated. Both secrets sign for 24 hours.', value.secret)
        })
      },
      { session, params },
    )
    .post(
      `${PATH}/:id/delete`,
      async function postWebhookDeletion({ ctx, authenticated: by, params: { id } }) {
        return await runAction(ctx, by, PATH, async () => {
          await deleteWebhook(ctx.as({ accountId: await endpointAccountOf(ctx, by, id) }), { id })
          return 'The endpoint and its deliveries are deleted.'
        })
      },
      { session, params },
    )

/** Finds an endpoint in live and in test mode, because the page may have been opened before the mode was switched. */
export const endpointAccountOf = (ctx: Ctx, by: AuthenticatedRequest, id: string): Promise<string> =>
  getOwnerOfWebhook(ctx.as(accountOf(by)), { id })

const secretFlash = (text: string, value: string): Flash => ({
  tone: 'good',
  text,
  secret: { label: 'Signing secret', value },
})

async function renderEndpointList(ctx: Ctx, by: AuthenticatedRequest, formState = EMPTY_FORM): Promise<Response> {
  const { accountId } = shownAccountOf(by)
  const webhooks = await listAllWebhooks(ctx.as({ accountId }))
  const content = endpointListView(by.session, { webhooks, formState, idempotencyKey: ctx.ids.uuid() })
  return renderConsolePage(ctx, by, { title: 'Webhooks', content }, formStatus(formState))
}

interface EndpointPage {
  id: string
  filter: DeliveryFilter
  isLive?: boolean
  formState?: FormState
  replayState?: FormState
}

export async function renderEndpoint(
  ctx: Ctx,
  by: AuthenticatedRequest,
  { id, filter, isLive = false, formState = EMPTY_FORM, replayState = EMPTY_FORM }: EndpointPage,
): Promise<Response> {
  const accountId = await endpointAccountOf(ctx, by, id)
  const isTest = accountId !== accountOf(by).accountId
  const [webhook, list] = await Promise.all([
    getWebhook(ctx.as({ accountId }), { id }),
    listAccountDeliveries(ctx.as({ accountId }), { ...filter, endpointId: id }),
  ])
  const page = { webhook, isTest, list, filter, isLive, formState, replayState, now: ctx.clock.now() }
  const content = endpointView(by.session, page)
  const assets = { scripts: ['htmx.js'], styles: ['operator.css'] } as const
  const status = formStatus(replayState === EMPTY_FORM ? formState : replayState)
  return renderConsolePage(ctx, by, { title: webhook.name, content, ...assets }, status)
}

// /console/webhooks: the account's endpoints: made with a secret that is shown once, changed, tried out, disabled.
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'

import type { Deps } from '../../deps.ts'
import { listDeliveries, sendTest } from '../../webhooks/endpoints/verbs/deliveries.ts'
import { DeliveryQuery, NewWebhook, WebhookParams } from '../../webhooks/endpoints/schemas.ts'
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  rotateSecret,
} from '../../webhooks/endpoints/verbs/endpoints.ts'
import { session } from '../../auth/access.ts'
import { guard } from '../../http/guard.ts'
import { type AuthenticatedRequest, accountOf, visitOf } from '../../http/session.ts'
import { OneOf } from '../../platform/schema/types.ts'
import { type Flash, act, actWith, go, show, submit } from '../ui/answer.ts'
import { type Entered, NOTHING_ENTERED, idempotencyOf, wasRefused } from '../ui/forms.ts'
import { WEBHOOKS_PATH as PATH, endpointContent, endpointsContent } from './webhook-views.ts'

const access = session('developer', 'pro')
const params = WebhookParams
const StatusForm = Type.Object({ status: OneOf(['enabled', 'disabled']) })

/** An account may have up to 100: all on one page. */
const ALL = { limit: 50 }

export const webhookPages = (deps: Deps) =>
  new Elysia({ name: 'webhook-pages' })
    .use(guard(deps))
    .get(
      PATH,
      async function getWebhooks({ visit }) {
        return await endpointsPage(deps, visitOf(visit))
      },
      { access },
    )
    .post(
      PATH,
      async function postWebhook({ visit }) {
        const by = visitOf(visit)
        return await submit(
          NewWebhook,
          by.form,
          async (wish) => {
            const made = await createWebhook(deps, accountOf(by).accountId, wish, idempotencyOf(by.form))
            return go(deps, by.session, `${PATH}/${made.id}`, secretShown('The endpoint is ready.', made.secret))
          },
          (entered) => endpointsPage(deps, by, entered),
        )
      },
      { access, form: NewWebhook },
    )
    .get(
      `${PATH}/:id`,
      async function getOneWebhook({ visit, params, query }) {
        return await endpointPage(deps, visitOf(visit), { id: params.id, query })
      },
      { access, params, query: DeliveryQuery },
    )
    .post(
      `${PATH}/:id`,
      async function postWebhookChange({ visit, params: { id } }) {
        const by = visitOf(visit)
        return await submit(
          NewWebhook,
          by.form,
          async (wish) => {
            await changeWebhook(deps, accountOf(by).accountId, id, wish)
            return go(deps, by.session, `${PATH}/${id}`, { tone: 'good', text: 'The endpoint was changed.' })
          },
          (entered) => endpointPage(deps, by, { id, query: {}, entered }),
        )
      },
      { access, params, form: NewWebhook },
    )
    .use(actions(deps))

/** What one button each does. */
const actions = (deps: Deps) =>
  new Elysia({ name: 'webhook-actions' })
    .use(guard(deps))
    .post(
      `${PATH}/:id/status`,
      async function postWebhookStatus({ visit, params: { id } }) {
        const by = visitOf(visit)
        return await actWith(deps, by, `${PATH}/${id}`, StatusForm, async ({ status }) => {
          await changeWebhook(deps, accountOf(by).accountId, id, { status })
          return status === 'enabled'
            ? 'Events are sent there again. Replay what it missed.'
            : 'Nothing is sent there any more.'
        })
      },
      { access, params, form: StatusForm },
    )
    .post(
      `${PATH}/:id/test`,
      async function postWebhookTest({ visit, params: { id } }) {
        const by = visitOf(visit)
        return await act(deps, by, `${PATH}/${id}`, async () => {
          await sendTest(deps, accountOf(by).accountId, id)
          return 'A test event is on its way.'
        })
      },
      { access, params },
    )
    .post(
      `${PATH}/:id/secret`,
      async function postWebhookSecret({ visit, params: { id } }) {
        const by = visitOf(visit)
        return await act(deps, by, `${PATH}/${id}`, async () => {
          const { secret } = await rotateSecret(deps, accountOf(by).accountId, id)
          return secretShown('There is a new secret. Both sign for 24 hours.', secret)
        })
      },
      { access, params },
    )
    .post(
      `${PATH}/:id/delete`,
      async function postWebhookDeletion({ visit, params: { id } }) {
        const by = visitOf(visit)
        return await act(deps, by, PATH, async () => {
          await deleteWebhook(deps, accountOf(by).accountId, id)
          return 'The endpoint is gone, with its deliveries.'
        })
      },
      { access, params },
    )

const secretShown = (text: string, value: string): Flash => ({
  tone: 'good',
  text,
  secret: { label: 'Signing secret', value },
})

async function endpointsPage(deps: Deps, by: AuthenticatedRequest, entered = NOTHING_ENTERED): Promise<Response> {
  const { accountId } = accountOf(by)
  const first = await listWebhooks(deps, accountId, ALL)
  const rest = first.meta.hasMore ? await listWebhooks(deps, accountId, { ...ALL, offset: ALL.limit }) : undefined
  const webhooks = [...first.webhooks, ...(rest?.webhooks ?? [])]
  const content = endpointsContent(by.session, { webhooks, entered, idempotencyKey: deps.ids.uuid() })
  return show(deps, by, { title: 'Webhooks', content }, wasRefused(entered))
}

interface Shown {
  id: string
  query: DeliveryQuery
  entered?: Entered
}

/** An endpoint with its deliveries, which are looked at again by themselves as long as one is under way. */
async function endpointPage(
  deps: Deps,
  by: AuthenticatedRequest,
  { id, query, entered = NOTHING_ENTERED }: Shown,
): Promise<Response> {
  const { accountId } = accountOf(by)
  const [webhook, list] = await Promise.all([
    getWebhook(deps, accountId, id),
    listDeliveries(deps, accountId, id, query),
  ])
  const content = endpointContent(by.session, { webhook, list, query, entered, now: deps.clock.now() })
  const scripts = ['htmx.js'] as const
  return show(deps, by, { title: webhook.name, content, scripts }, wasRefused(entered))
}

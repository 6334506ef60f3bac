/** @jsxImportSource preact */
// /console/quickstart: the first requests with a key of one's own, and the first webhook.
import { Elysia } from 'elysia'

import type { Ctx } from '../../ctx.ts'
import type { Deps } from '../../deps.ts'
import { PUBLIC, type Viewer } from '../../auth/caller.ts'
import { PRESETS } from '../../auth/scopes.ts'
import { findPros } from '../../features/search/pros/verbs/search.ts'
import { getOpenSlots } from '../../features/calendar/availability/verbs.ts'
import { createKeyInMode, enterTestMode, findTestViewer } from '../../features/upkeep/test-mode/verbs.ts'
import { guard } from '../../http/guard.ts'
import { type Session, accountOf } from '../../http/session.ts'
import type { VNode } from 'preact'
import { readFlash } from '../ui/flash.tsx'
import { Form } from '../ui/form.tsx'
import { Copyable, Button } from '../ui/buttons.tsx'
import { PageHeading, Section } from '../ui/headings.tsx'
import { redirectWithFlash, renderConsolePage } from '../ui/responses.tsx'

const PATH = '/console/quickstart'
const session = ['developer', 'pro'] as const
const KEY_LABEL = 'API key'
const PLACEHOLDER = '<your key>'

export const quickstartPages = (deps: Deps) =>
  new Elysia({ name: 'quickstart-pages' })
    .use(guard(deps))
    .get(
      PATH,
      async function getQuickstart({ ctx, authenticated: by }) {
        const secret = readFlash(ctx, by.request, by.session)?.secret
        const key = secret?.label === KEY_LABEL ? secret.value : undefined
        const content = quickstartView(by.session, ctx.config.baseUrl, {
          key,
          example: await exampleOf(ctx, await findTestViewer(ctx, { accountId: accountOf(by).accountId })),
          receivesHere: ctx.config.webhookAllowPrivate,
        })
        const assets = { scripts: ['console.js'], styles: ['operator.css'] } as const
        return renderConsolePage(ctx, by, { title: 'Quickstart', content, ...assets })
      },
      { session },
    )
    .post(
      PATH,
      async function postQuickstartKey({ ctx, authenticated: by }) {
        const { secret } = await createKeyInMode(ctx, {
          ownerEmail: accountOf(by).accountEmail,
          scopes: PRESETS['full-server'],
          name: 'Quickstart',
          mode: 'test',
        })
        await enterTestMode(ctx.as({ ownerEmail: accountOf(by).accountEmail, token: by.session.token }))
        return redirectWithFlash(ctx, by.session, PATH, {
          tone: 'good',
          text: 'Your test key is ready, and the requests below have it filled in. The console now shows test mode.',
          secret: { label: KEY_LABEL, value: secret },
        })
      },
      { session },
    )

/** A pro who can be booked at once, for requests that find something. */
interface Example {
  slug: string
  serviceId: string | undefined
  service: string
  /** Of a test pro: a booking of its next open time. */
  booking: object | undefined
}

async function exampleOf(ctx: Ctx, viewer: Viewer): Promise<Example | undefined> {
  const text = await findPros(ctx.as(viewer), { instantBook: true, limit: 1 })
  const { professionals } = JSON.parse(text) as {
    professionals: { id: string; slug: string; services: { id: string; slug: string }[] }[]
  }
  const [pro] = professionals
  const [service] = pro?.services ?? []
  if (!pro) return undefined
  const booking = viewer === PUBLIC || !service ? undefined : await nextBooking(ctx, viewer, pro.id, service.id)
  return { slug: pro.slug, serviceId: service?.id, service: service?.slug ?? 'plumber', booking }
}

async function nextBooking(ctx: Ctx, viewer: Viewer, professionalId: string, serviceId: string) {
  const { nextAvailable } = await getOpenSlots(ctx.as(viewer), { serviceId, pro: professionalId })
  if (!nextAvailable) return undefined
  const { date, time } = nextAvailable
  const customer = { name: 'Maria Lopez', email: 'maria@example.com' }
  return { professionalId, serviceId, date, time, customer }
}

interface Quickstart {
  key: string | undefined
  example: Example | undefined
  /** Webhooks may go to this machine. */
  receivesHere: boolean
}

function quickstartView(by: Session, baseUrl: string, { key, example, receivesHere }: Quickstart): VNode {
  const api = `${baseUrl}/api/v1`
  const { slug = 'a-pro', service = 'plumber', serviceId, booking } = example ?? {}
  const authorization = `-H 'Authorization: Bearer ${key ?? PLACEHOLDER}'`
  const requests = [
    ['Find pros for a service', `${api}/pros?service=${service}&instantBook=true&limit=3`],
    [
      'See the open times of one of them',
      `${api}/pros/${slug}/availability?days=7${serviceId ? `&serviceId=${serviceId}` : ''}`,
    ],
    ['See what the service costs', `${api}/pricing?service=${service}`],
  ] as const
  return (
    <>
      <PageHeading>Quickstart</PageHeading>
      <Section title="1. Your key">{keyStep(by, key)}</Section>
      <Section title="2. Three requests">
        {requests.map(([label, url], index) => (
          <Copyable id={`request-${index + 1}`} label={label} text={`curl -s '${url}' \\\n  ${authorization}`} />
        ))}
      </Section>
      <Section title="3. A booking">
        {booking && (
          <Copyable
            id="request-4"
            label="Book the next open time of a test pro"
            text={`curl -s '${api}/bookings' \\\n  ${authorization} \\\n  -H 'Content-Type: application/json' \\\n  -d '${JSON.stringify(booking)}'`}
          />
        )}
        <p>
          With a test key nothing is real: three <a href="/console/test-mode">test pros</a> are yours alone, no e-mail
          is sent, and deposits are paid in the sandbox. With a <a href="/console/keys">live key</a> the same request{' '}
          <a href="/api-docs#postBooking">books a real pro</a>.
        </p>
      </Section>
      <Section title="4. Your first webhook">
        <p>
          <a href="/console/webhooks">Add an endpoint</a> and send it a test event. Its delivery shows the request as it
          was sent, and a command that checks its signature. Endpoints of test mode receive the events of test bookings.
        </p>
        {receivesHere && (
          <Copyable
            id="listen"
            label="Or receive it on this machine: give the endpoint the URL http://127.0.0.1:4000, and run this with its secret"
            text="npx hearth webhooks listen --port 4000 --secret whsec_…"
          />
        )}
      </Section>
      <p class="hint">
        Next: the <a href="/api-docs">API reference</a>, the <a href="/problems">errors</a>, and{' '}
        <a href="/console/usage">what your keys used</a>.
      </p>
    </>
  )
}

const keyStep = (by: Session, key: string | undefined): VNode =>
  key === undefined ? (
    <>
      <p>
        Programs call the API with a key. A test key is made for trying out. It is shown once: the requests below then
        have it filled in.
      </p>
      <Form action={PATH} session={by}>
        <Button>Create a test key</Button>
      </Form>
    </>
  ) : (
    <p>
      The key is shown above, once. Keep it as safe as a password; <a href="/console/keys">revoke it</a> when you are
      done.
    </p>
  )

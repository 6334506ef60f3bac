// /console/quickstart: the first requests with a key of one's own, and the first webhook.
import { Elysia } from 'elysia'

import type { Deps } from '../../deps.ts'
import type { Viewer } from '../../auth/caller.ts'
import { PRESETS } from '../../auth/scopes.ts'
import { findPros } from '../../features/pros/verbs/search.ts'
import { createKeyInMode, findTestViewer } from '../../features/test-mode/verbs.ts'
import { guard } from '../../http/guard.ts'
import { type Session, accountOf } from '../../http/session.ts'
import { type Html, html } from '../../platform/text/html.ts'
import { readFlash } from '../ui/flash.ts'
import { csrfField } from '../ui/forms.ts'
import { copyable, pageHeading, section } from '../ui/parts.ts'
import { redirectWithFlash, renderConsolePage } from '../ui/responses.ts'

const PATH = '/console/quickstart'
const session = ['developer', 'pro'] as const
const KEY_LABEL = 'API key'
const PLACEHOLDER = '<your key>'

export const quickstartPages = (deps: Deps) =>
  new Elysia({ name: 'quickstart-pages' })
    .use(guard(deps))
    .get(
      PATH,
      async function getQuickstart({ authenticated: by }) {
        const secret = readFlash(deps, by.request, by.session)?.secret
        const key = secret?.label === KEY_LABEL ? secret.value : undefined
        const content = quickstartView(by.session, deps.config.baseUrl, {
          key,
          example: await exampleOf(deps, await findTestViewer(deps, accountOf(by).accountId)),
        })
        const assets = { scripts: ['console.js'], styles: ['operator.css'] } as const
        return renderConsolePage(deps, by, { title: 'Quickstart', content, ...assets })
      },
      { session },
    )
    .post(
      PATH,
      async function postQuickstartKey({ authenticated: by }) {
        const { secret } = await createKeyInMode(deps, {
          ownerEmail: accountOf(by).accountEmail,
          scopes: PRESETS['full-server'],
          name: 'Quickstart',
          mode: 'test',
        })
        return redirectWithFlash(deps, by.session, PATH, {
          tone: 'good',
          text: 'Your test key is ready, and the requests below have it filled in.',
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
}

async function exampleOf(deps: Deps, viewer: Viewer): Promise<Example | undefined> {
  const text = await findPros(deps, viewer, { instantBook: true, limit: 1 })
  const { professionals } = JSON.parse(text) as {
    professionals: { slug: string; services: { id: string; slug: string }[] }[]
  }
  const [pro] = professionals
  const [service] = pro?.services ?? []
  return pro && { slug: pro.slug, serviceId: service?.id, service: service?.slug ?? 'plumber' }
}

interface Quickstart {
  key: string | undefined
  example: Example | undefined
}

function quickstartView(by: Session, baseUrl: string, { key, example }: Quickstart): Html {
  const api = `${baseUrl}/api/v1`
  const { slug = 'a-pro', service = 'plumber', serviceId } = example ?? {}
  const requests = [
    ['Find pros for a service', `${api}/pros?service=${service}&instantBook=true&limit=3`],
    [
      'See the open times of one of them',
      `${api}/pros/${slug}/availability?days=7${serviceId ? `&serviceId=${serviceId}` : ''}`,
    ],
    ['See what the service costs', `${api}/pricing?service=${service}`],
  ] as const
  return html`
    ${pageHeading('Quickstart')} ${section('1. Your key', keyStep(by, key))}
    ${section(
      '2. Three requests',
      requests.map(([label, url], index) =>
        copyable(
          `request-${index + 1}`,
          label,
          `curl -s '${url}' \\\n  -H 'Authorization: Bearer ${key ?? PLACEHOLDER}'`,
        ),
      ),
    )}
    ${section(
      '3. A booking',
      html`<p>
        <a href="/api-docs#postBooking">Book a slot</a> with one of those times. With a test key nothing is real: three
        test pros are yours alone, no e-mail is sent, and deposits are paid in the sandbox. With a
        <a href="/console/keys">live key</a> the same requests book real pros.
      </p>`,
    )}
    ${section(
      '4. Your first webhook',
      html`<p>
        <a href="/console/webhooks">Add an endpoint</a> and send it a test event. Its delivery shows the request as it
        was sent, and a command that checks its signature.
      </p>`,
    )}
    <p class="hint">
      Next: the <a href="/api-docs">API reference</a>, the <a href="/problems">errors</a>, and
      <a href="/console/usage">what your keys used</a>.
    </p>
  `
}

const keyStep = (by: Session, key: string | undefined): Html =>
  key === undefined
    ? html`<p>
          Programs call the API with a key. A test key is made for trying out. It is shown once: the requests below then
          have it filled in.
        </p>
        <form method="post" action="${PATH}">
          ${csrfField(by)}
          <button>Create a test key</button>
        </form>`
    : html`<p>
        The key is shown above, once. Keep it as safe as a password; <a href="/console/keys">revoke it</a> when you are
        done.
      </p>`

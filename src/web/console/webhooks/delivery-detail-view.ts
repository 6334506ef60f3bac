// The view of one webhook delivery: its attempts with requests and responses, and commands to repeat and check them.
import type { DeliveryDetail, Webhook } from '../../../webhooks/endpoints/schemas.ts'
import type { Session } from '../../../http/session.ts'
import { exactDateTime } from '../../../platform/text/format.ts'
import { type Html, html } from '../../../platform/text/html.ts'
import { actionButton, disclosure } from '../../ui/forms.ts'
import { backLink, copyable, detailList, pageHeading, section } from '../../ui/parts.ts'
import { deliveryState } from './delivery-view.ts'

type Attempt = DeliveryDetail['attempts'][number]
type Headers = Readonly<Record<string, string>>

interface DeliveryPage {
  delivery: DeliveryDetail
  webhook: Webhook
  /** Whether the trace of the latest attempt is kept. */
  hasTrace: boolean
}

export function deliveryView(session: Session, path: string, { delivery, webhook, hasTrace }: DeliveryPage): Html {
  const here = `${path}/deliveries/${delivery.eventId}`
  const last = delivery.attempts.findLast(({ requestHeaders }) => requestHeaders !== null)
  return html`
    ${backLink(webhook.name, path)} ${pageHeading(delivery.type, sendAgain(session, here, delivery, webhook))}
    ${
      webhook.status === 'disabled' &&
      html`<p class="notice wait">
        This endpoint is disabled. <a href="${path}">Enable it</a> to send the event again.
      </p>`
    }
    ${detailList([
      ['Status', deliveryState(delivery.state)],
      ['Endpoint', html`<code>${webhook.url}</code>`],
      ['Event', html`<code>${delivery.eventId}</code>`],
      ['Created', exactDateTime(delivery.createdAt)],
      ['Finished', delivery.finishedAt && exactDateTime(delivery.finishedAt)],
      ['Next attempt', delivery.nextAttemptAt && exactDateTime(delivery.nextAttemptAt)],
      ['Trace', hasTrace && html`<a href="${here}/trace">From the request to this delivery</a>`],
    ])}
    ${section(
      'Attempts',
      delivery.attempts.length === 0
        ? html`<p class="lead">None yet.</p>`
        : html`<ol class="attempts">
            ${delivery.attempts.toReversed().map((attempt) => attemptView(attempt, webhook, delivery.body))}
          </ol>`,
    )}
    ${section('Body', html`<pre tabindex="0" role="region" aria-label="Body">${formatted(delivery.body)}</pre>`)}
    ${last?.requestHeaders && section('Try it yourself', commands(webhook.url, last.requestHeaders, delivery.body))}
  `
}

const sendAgain = (session: Session, here: string, { state }: DeliveryDetail, { status }: Webhook): Html | false =>
  status === 'enabled' &&
  actionButton(session, {
    action: `${here}/replay`,
    label: state === 'pending' ? 'Send now' : 'Send again',
    tone: 'plain',
  })

const attemptView = (
  { number, at, durationMs, status, error, requestHeaders, response }: Attempt,
  { url }: Webhook,
  body: string,
): Html => html`
  <li>
    <p><strong>${number}.</strong> ${exactDateTime(at)}: ${status ?? error} after ${durationMs} ms</p>
    ${requestHeaders && disclosure(`Request ${number}`, requestView(url, requestHeaders, body))}
    ${response && disclosure(`Response ${number}`, html`<pre tabindex="0">${response}</pre>`, { isOpen: status !== null && status >= 400 })}
  </li>
`

const requestView = (url: string, headers: Headers, body: string): Html => html`
  <p><code>POST ${url}</code></p>
  <table class="headers">
    <caption class="unseen">
      Headers as they were sent
    </caption>
    <tbody>
      ${Object.entries(headers).map(
        ([name, value]) =>
          html`<tr>
            <td>${name}</td>
            <td><code>${value}</code></td>
          </tr>`,
      )}
    </tbody>
  </table>
  <pre tabindex="0">${body}</pre>
`

/** The text in single quotes of a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

function commands(url: string, headers: Headers, body: string): Html {
  const curl = [
    `curl -i ${quoted(url)}`,
    ...Object.entries(headers).map(([name, value]) => `  -H ${quoted(`${name}: ${value}`)}`),
    `  --data-raw ${quoted(body)}`,
  ].join(' \\\n')
  const signed = `${headers['webhook-timestamp'] ?? ''}.${body}`
  const check = `SECRET='whsec_…'\nprintf %s ${quoted(signed)} \\\n  | openssl dgst -sha256 -hmac "$SECRET"`
  const expected = /v1=([0-9a-f]{64})/.exec(headers['x-webhook-signature'] ?? '')?.[1]
  return html`
    ${copyable('as-curl', 'The latest request as it was sent', curl)}
    ${copyable('check', 'Check its signature with the endpoint’s secret', check)}
    <p class="hint">
      It prints <code>${expected}</code>, the <code>v1</code> of <code>x-webhook-signature</code>. In your receiver,
      sign the raw bytes of the body, and refuse a timestamp more than five minutes away.
    </p>
  `
}

/** The JSON body with line breaks for reading. The signature covers the original bytes. */
function formatted(body: string): string {
  return JSON.stringify(JSON.parse(body), null, 2)
}

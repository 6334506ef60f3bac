/** @jsxImportSource preact */
// The view of one webhook delivery: its attempts with requests and responses, and commands to repeat and check them.
import type { DeliveryDetail, Webhook } from '../../../webhooks/endpoints/schemas.ts'
import type { Session } from '../../../http/session.ts'
import { ExactTime } from '../../ui/time.tsx'
import type { VNode } from 'preact'
import { ActionButton } from '../../ui/form.tsx'
import { Disclosure } from '../../ui/buttons.tsx'
import { BackLink, PageHeading, Section } from '../../ui/headings.tsx'
import { Copyable } from '../../ui/buttons.tsx'
import { DetailList } from '../../ui/table.tsx'
import { deliveryState } from './delivery-view.tsx'

type Attempt = DeliveryDetail['attempts'][number]
type Headers = Readonly<Record<string, string>>

interface DeliveryPage {
  delivery: DeliveryDetail
  webhook: Webhook
  /** Whether the trace of the latest attempt is kept. */
  hasTrace: boolean
}

export function deliveryView(session: Session, path: string, { delivery, webhook, hasTrace }: DeliveryPage): VNode {
  const here = `${path}/deliveries/${delivery.eventId}`
  const last = delivery.attempts.findLast(({ requestHeaders }) => requestHeaders !== null)
  return (
    <>
      <BackLink href={path}>{webhook.name}</BackLink>
      <PageHeading beside={sendAgain(session, here, delivery, webhook)}>{delivery.type}</PageHeading>
      {webhook.status === 'disabled' && (
        <p class="notice wait">
          This endpoint is disabled. <a href={path}>Enable it</a> to send the event again.
        </p>
      )}
      <DetailList
        pairs={[
          ['Status', deliveryState(delivery.state)],
          ['Endpoint', <code>{webhook.url}</code>],
          ['Event', <code>{delivery.eventId}</code>],
          ['Created', <ExactTime instant={delivery.createdAt} />],
          ['Finished', delivery.finishedAt && <ExactTime instant={delivery.finishedAt} />],
          ['Next attempt', delivery.nextAttemptAt && <ExactTime instant={delivery.nextAttemptAt} />],
          ['Trace', hasTrace && <a href={`${here}/trace`}>From the request to this delivery</a>],
        ]}
      />
      <Section title="Attempts">
        {delivery.attempts.length === 0 ? (
          <p class="lead">None yet.</p>
        ) : (
          <ol class="attempts">
            {delivery.attempts.toReversed().map((attempt) => attemptView(attempt, webhook, delivery.body))}
          </ol>
        )}
      </Section>
      <Section title="Body">
        <pre tabindex={0} role="region" aria-label="Body">
          {formatted(delivery.body)}
        </pre>
      </Section>
      {last?.requestHeaders && (
        <Section title="Try it yourself">{commands(webhook.url, last.requestHeaders, delivery.body)}</Section>
      )}
    </>
  )
}

const sendAgain = (session: Session, here: string, { state }: DeliveryDetail, { status }: Webhook): VNode | false =>
  status === 'enabled' && (
    <ActionButton
      session={session}
      action={`${here}/replay`}
      label={state === 'pending' ? 'Send now' : 'Send again'}
      look="plain"
    />
  )

const attemptView = (
  { number, at, durationMs, status, error, requestHeaders, response }: Attempt,
  { url }: Webhook,
  body: string,
): VNode => (
  <li>
    <p>
      <strong>{number}.</strong> <ExactTime instant={at} />: {status ?? error} after {durationMs} ms
    </p>
    {requestHeaders && <Disclosure label={`Request ${number}`}>{requestView(url, requestHeaders, body)}</Disclosure>}
    {response && (
      <Disclosure label={`Response ${number}`} isOpen={status !== null && status >= 400}>
        <pre tabindex={0}>{response}</pre>
      </Disclosure>
    )}
  </li>
)

const requestView = (url: string, headers: Headers, body: string): VNode => (
  <>
    <p>
      <code>POST {url}</code>
    </p>
    <table class="headers">
      <caption class="unseen">Headers as they were sent</caption>
      <tbody>
        {Object.entries(headers).map(([name, value]) => (
          <tr>
            <td>{name}</td>
            <td>
              <code>{value}</code>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
    <pre tabindex={0}>{body}</pre>
  </>
)

/** The text in single quotes of a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

function commands(url: string, headers: Headers, body: string): VNode {
  const curl = [
    `curl -i ${quoted(url)}`,
    ...Object.entries(headers).map(([name, value]) => `  -H ${quoted(`${name}: ${value}`)}`),
    `  --data-raw ${quoted(body)}`,
  ].join(' \\\n')
  const signed = `${headers['webhook-timestamp'] ?? ''}.${body}`
  const check = `SECRET='whsec_…'\nprintf %s ${quoted(signed)} \\\n  | openssl dgst -sha256 -hmac "$SECRET"`
  const expected = /v1=([0-9a-f]{64})/.exec(headers['x-webhook-signature'] ?? '')?.[1]
  return (
    <>
      <Copyable id="as-curl" label="The latest request as it was sent" text={curl} />
      <Copyable id="check" label="Check its signature with the endpoint’s secret" text={check} />
      <p class="hint">
        It prints <code>{expected}</code>, the <code>v1</code> of <code>x-webhook-signature</code>. In your receiver,
        sign the raw bytes of the body, and refuse a timestamp more than five minutes away.
      </p>
    </>
  )
}

/** The JSON body with line breaks for reading. The signature covers the original bytes. */
function formatted(body: string): string {
  return JSON.stringify(JSON.parse(body), null, 2)
}

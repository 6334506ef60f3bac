// `hearth webhooks listen` prints deliveries and verifies their signatures.
import { expect, test } from 'bun:test'

import { sign, signStandard } from '../../src/webhooks/delivery/signature.ts'
import { startWorker } from '../support/workers.ts'

test('hearth webhooks listen verifies and prints a delivery and rejects a forged one', async () => {
  const secret = 'whsec_of_this_test'
  const args = ['webhooks', 'listen', '--port', '0', '--secret', secret]
  const listener = startWorker('src/cli.ts', { databaseUrl: 'postgres://127.0.0.1:1/none', args })
  await listener.waitForOutput('Listening on')
  const url = /http:\S+\//.exec(listener.output())?.[0] ?? ''
  const body = '{"id":"evt_1","type":"booking.created"}'
  const post = async (signature: string, others = {}) =>
    await fetch(url, {
      method: 'POST',
      body,
      headers: {
        'x-webhook-signature': signature,
        'x-webhook-event': 'booking.created',
        'x-webhook-id': 'evt_1',
        ...others,
      },
    })
  const now = Math.floor(Date.now() / 1000)
  const standard = (id: string) => ({
    'webhook-id': id,
    'webhook-timestamp': String(now),
    'webhook-signature': signStandard([secret], 'evt_1', now, body),
  })
  expect((await post(sign([secret], now, body), standard('evt_1'))).status).toBe(200)
  expect((await post(sign([secret], now, body), standard('evt_2'))).status).toBe(400)
  await listener.waitForOutput('booking.created  evt_1  signature valid')
  await listener.waitForOutput('"type": "booking.created"')
  expect((await post(sign([secret], now, body))).status).toBe(200)
  await listener.waitForOutput('seen before')
  for (const signature of [sign(['whsec_other'], now, body), sign([secret], now - 301, body), ''])
    expect((await post(signature)).status).toBe(400)
  await listener.waitForOutput('REJECTED: signature_mismatch')
  await listener.waitForOutput('REJECTED: timestamp_out_of_tolerance')
  expect(await listener.stop()).toBe(0)
})

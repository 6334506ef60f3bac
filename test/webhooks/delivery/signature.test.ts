// Receivers can verify deliveries with Stripe's library, which uses the scheme of the specification, and with that of Standard Webhooks.
import { describe, expect, setSystemTime, test } from 'bun:test'

import { Webhook, WebhookVerificationError } from 'standardwebhooks'
import { Stripe } from 'stripe'

import { TOLERANCE_SECONDS, sign, verify, verifyStandard } from '../../../src/webhooks/delivery/signature.ts'
import { openWebhookFixture } from '../../support/webhooks.ts'
import type { Received } from '../../support/receiver.ts'
import { opened } from '../../support/fixture.ts'

const stripe = new Stripe('unused')

const hooks = await opened(openWebhookFixture())

/** True if Stripe's library accepts the delivery `laterSeconds` after it was signed. */
async function accepts(body: string, signature: string, secret: string, laterSeconds = 0): Promise<boolean> {
  const signedAt = Number(/t=(\d+)/.exec(signature)?.[1])
  const now = (signedAt + laterSeconds) * 1000
  try {
    await stripe.webhooks.constructEventAsync(body, signature, secret, TOLERANCE_SECONDS, undefined, now)
    return true
  } catch (error) {
    if (error instanceof Stripe.errors.StripeSignatureVerificationError) return false
    throw error
  }
}

/** True if the library of Standard Webhooks accepts the delivery, at the time of its signature. */
function acceptsStandard({ body, headers }: Pick<Received, 'body' | 'headers'>, secret: string): boolean {
  setSystemTime(new Date(hooks.clock.now()))
  try {
    return new Webhook(secret).verify(body, headers) !== undefined
  } catch (error) {
    if (error instanceof WebhookVerificationError) return false
    throw error
  } finally {
    setSystemTime()
  }
}

describe('a delivery', () => {
  test('verifies with the secret for 300 seconds, and not after any change of its bytes', async () => {
    const { secret, got } = await hooks.deliverOne()
    const signature = got.headers['x-webhook-signature'] ?? ''
    expect(signature).toMatch(/^t=\d+,v1=[0-9a-f]{64}$/)
    expect(await accepts(got.body, signature, secret)).toBe(true)
    expect(await accepts(got.body, signature, secret, 299)).toBe(true)
    expect(await accepts(got.body, signature, secret, 301)).toBe(false)
    for (const at of [0, Math.floor(got.body.length / 2), got.body.length - 1]) {
      const changed = `${got.body.slice(0, at)}${got.body[at] === ' ' ? '\t' : ' '}${got.body.slice(at + 1)}`
      expect(await accepts(changed, signature, secret)).toBe(false)
    }
    expect(await accepts(got.body, signature, `${secret}x`)).toBe(false)
  })

  test('verifies with the library of Standard Webhooks and the same secret, and not after any change', async () => {
    const { secret, got } = await hooks.deliverOne()
    expect(got.headers['webhook-id']).toBe(got.headers['x-webhook-id'])
    expect(acceptsStandard(got, secret)).toBe(true)
    expect(acceptsStandard({ ...got, body: `${got.body} ` }, secret)).toBe(false)
    for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature'])
      expect([name, acceptsStandard({ ...got, headers: { ...got.headers, [name]: '1' } }, secret)]).toEqual([
        name,
        false,
      ])
    const { secret: other } = await hooks.deliverOne()
    expect(acceptsStandard(got, other)).toBe(false)
  })

  test('describes the event in its body and headers', async () => {
    const { got } = await hooks.deliverOne()
    const body = JSON.parse(got.body) as Record<string, unknown>
    expect(Object.keys(body)).toEqual(['id', 'type', 'createdAt', 'timestamp', 'sequence', 'data'])
    expect(body).toMatchObject({ id: got.headers['x-webhook-id'], type: got.headers['x-webhook-event'], sequence: 1 })
    expect(body['id']).toMatch(/^evt_[0-9a-f]{32}$/)
    expect(Object.keys(body['data'] as object)).toEqual(['object'])
    expect(got.headers['content-type']).toBe('application/json')
  })

  test('verifies with either secret for a day after a rotation, then only with the new one', async () => {
    const webhook = await hooks.create()
    const rotated = await hooks.app.send(`/api/v1/webhooks/${webhook.id}/rotate-secret`, {
      method: 'POST',
      json: {},
      key: hooks.key,
    })
    const { secret: next, previousSecretUntil } = (await rotated.json()) as Record<string, string>
    expect(next).not.toBe(webhook.secret)
    expect(Date.parse(previousSecretUntil ?? '') - hooks.clock.now().getTime()).toBe(86_400_000)
    const during = await hooks.test(webhook)
    const signature = during.headers['x-webhook-signature'] ?? ''
    expect(signature).toMatch(/^t=\d+,v1=[0-9a-f]{64},v1=[0-9a-f]{64}$/)
    for (const secret of [webhook.secret, next ?? '']) {
      expect(await accepts(during.body, signature, secret)).toBe(true)
      expect(acceptsStandard(during, secret)).toBe(true)
    }
    // A receiver that reads one signature still has the previous secret.
    const [first = ''] = signature.split(/(?<=v1=\w+),/)
    expect(await accepts(during.body, first, webhook.secret)).toBe(true)
    hooks.clock.advance(86_400_001)
    const after = await hooks.test(webhook)
    const late = after.headers['x-webhook-signature'] ?? ''
    expect(await accepts(after.body, late, next ?? '')).toBe(true)
    expect(await accepts(after.body, late, webhook.secret)).toBe(false)
  })

  test('verifies with POST /webhooks/verify as with the library, for its owner only', async () => {
    const { webhook, got } = await hooks.deliverOne()
    const signature = got.headers['x-webhook-signature'] ?? ''
    const check = async (json: object, key = hooks.key) =>
      (await (await hooks.app.send('/api/v1/webhooks/verify', { key, json })).json()) as Record<string, unknown>
    expect(await check({ signature, body: got.body })).toMatchObject({ valid: true, webhookId: webhook.id })
    expect(await check({ signature, body: got.body, webhookId: webhook.id })).toMatchObject({ valid: true })
    expect(await check({ signature, body: `${got.body} ` })).toMatchObject({ reason: 'signature_mismatch' })
    expect(await check({ signature: 'v1=00', body: got.body })).toMatchObject({ reason: 'malformed_header' })
    const standard = {
      signature: got.headers['webhook-signature'],
      id: got.headers['webhook-id'],
      timestamp: got.headers['webhook-timestamp'],
      body: got.body,
    }
    expect(await check(standard)).toMatchObject({ valid: true, webhookId: webhook.id })
    expect(await check({ ...standard, id: 'evt_other' })).toMatchObject({ reason: 'signature_mismatch' })
    expect(await check({ ...standard, timestamp: undefined })).toMatchObject({ reason: 'malformed_header' })
    const stranger = await hooks.app.key(['webhook:sign'], 'stranger@test.example')
    expect(await check({ signature, body: got.body }, stranger)).toMatchObject({ reason: 'signature_mismatch' })
    hooks.clock.advance(301_000)
    expect(await check({ signature, body: got.body })).toMatchObject({ reason: 'timestamp_out_of_tolerance' })
  })
})

describe('Hearth’s own verification', () => {
  test('accepts signatures of Stripe’s library, and the reverse', async () => {
    const at = 1_780_000_000
    for (const body of ['{}', '"ü ✓"', JSON.stringify('x'.repeat(100_000))]) {
      const ours = sign(['whsec_a', 'whsec_b'], at, body)
      for (const secret of ['whsec_a', 'whsec_b']) expect(await accepts(body, ours, secret)).toBe(true)
      const theirs = await stripe.webhooks.generateTestHeaderStringAsync({
        payload: body,
        secret: 'whsec_b',
        timestamp: at,
      })
      for (const header of [ours, theirs])
        expect(verify(header, body, ['whsec_x', 'whsec_b'], new Date(at * 1000))).toMatchObject({
          valid: true,
          secretIndex: 1,
        })
    }
  })

  test('accepts signatures of the library of Standard Webhooks', () => {
    const at = new Date(1_780_000_000_000)
    for (const secret of ['whsec_AAAA', `whsec_${'+/'.repeat(16)}`])
      for (const body of ['{}', '"ü ✓"', JSON.stringify('x'.repeat(10_000))]) {
        const signature = `v2,AAAA ${new Webhook(secret).sign('evt_1', at, body)}`
        const headers = { id: 'evt_1', timestamp: '1780000000', signature }
        const secrets = ['whsec_BBBB', secret]
        expect(verifyStandard(headers, body, secrets, at)).toEqual({
          valid: true,
          timestamp: 1_780_000_000,
          secretIndex: 1,
        })
        expect(verifyStandard(headers, body, secrets, new Date(at.getTime() + 301_000)).valid).toBe(false)
        for (const change of [
          { signature: '' },
          { signature: signature.slice(0, -1) },
          { timestamp: '' },
          { timestamp: '1x' },
        ])
          expect(verifyStandard({ ...headers, ...change }, body, secrets, at)).toEqual({
            valid: false,
            reason: 'malformed_header',
          })
      }
  })

  test('rejects malformed headers', () => {
    const now = new Date(1_780_000_000_000)
    const good = sign(['s'], 1_780_000_000, 'body')
    expect(verify(good, 'body', ['s'], now).valid).toBe(true)
    for (const header of [
      '',
      't=',
      'v1=',
      good.replace('t=', 'T='),
      good.slice(0, -1),
      `${good}0`,
      good.replace('v1', 'v0'),
      't=1780000000',
      good.replace('1780000000', '1780000001'),
    ])
      expect(verify(header, 'body', ['s'], now).valid).toBe(false)
  })
  test('accepts a time within 300 seconds of its clock, and a digest only as a whole', () => {
    const at = 1_780_000_000
    const good = sign(['s'], at, 'body')
    const check = (header: string, seconds: number) => verify(header, 'body', ['s'], new Date(seconds * 1000))
    for (const late of [-300, 0, 300]) expect([late, check(good, at + late).valid]).toEqual([late, true])
    for (const late of [-301, 301])
      expect([late, check(good, at + late)]).toEqual([late, { valid: false, reason: 'timestamp_out_of_tolerance' }])
    const digest = good.slice(-64)
    for (let n = 0; n < 64; n++) {
      const changed = digest.slice(0, n) + (digest[n] === '0' ? '1' : '0') + digest.slice(n + 1)
      expect([n, check(good.replace(digest, changed), at).valid]).toEqual([n, false])
    }
    for (const header of [`x${good}`, good.replace(',v1', ',xv1'), good.replace(`t=${at}`, `t=${at}x`), digest])
      expect([header, check(header, at)]).toEqual([header, { valid: false, reason: 'malformed_header' }])
  })
})

test('a previous secret no longer verifies a day after the rotation', async () => {
  const { webhook, secret } = await hooks.deliverOne()
  await hooks.app.send(`/api/v1/webhooks/${webhook.id}/rotate-secret`, { method: 'POST', json: {}, key: hooks.key })
  const verifyNow = async () => {
    const signature = sign([secret], Math.floor(hooks.clock.now().getTime() / 1000), 'body')
    const response = await hooks.app.send('/api/v1/webhooks/verify', {
      key: hooks.key,
      json: { signature, body: 'body' },
    })
    return ((await response.json()) as { valid: boolean }).valid
  }
  expect(await verifyNow()).toBe(true)
  hooks.clock.advance(86_400_000 - 1000)
  expect(await verifyNow()).toBe(true)
  hooks.clock.advance(1000)
  expect(await verifyNow()).toBe(false)
})

// The bookings of a random life: made on every surface, paid, cancelled, moved, confirmed, on Hearth and on the model.
import { expect } from 'bun:test'

import { CUSTOMER_SERVER, callTool } from './agents.ts'
import type { Json, LifeContext, LifePro } from './agreed-context.ts'
import { type AgreedBooking, agreedTerms, capture, end, keepsPayment, localTime, passTime } from './agreed-model.ts'
import { BOOKING_SURFACES, expectShown } from './agreed-surfaces.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
const FEE_CENTS = 500

const RESULTS = {
  confirm: 'confirmed',
  complete: 'completed',
  no_show: 'no_show',
  reject: 'cancelled',
  cancel: 'cancelled',
} as const

/** Where the visit is, as each surface is told. */
const ADDRESSES = {
  post: { street: '1 Main St', zipCode: '78701' },
  create: { zipCode: '78702' },
  agent: { street: '2 Main St', city: 'Austin', state: 'TX', zipCode: '78703' },
}

interface Booked {
  pro: LifePro
  it: AgreedBooking
}

export class LifeOfBookings {
  readonly all: Booked[] = []

  constructor(readonly ctx: LifeContext) {}

  /** Compares a booking on some surfaces, or on all. */
  async check({ pro, it }: Booked, surfaces?: readonly string[]): Promise<void> {
    passTime(it, this.ctx.nowMs)
    const some = surfaces ?? [this.ctx.random.pick(Object.keys(BOOKING_SURFACES)), 'id']
    for (const surface of some) {
      await BOOKING_SURFACES[surface]?.(this.ctx.to, pro, it)
      this.ctx.note(`shown: ${surface}`)
    }
  }

  /** Books on one of the surfaces. A refused request agrees on nothing. */
  async book(): Promise<void> {
    const pro = this.ctx.random.pick(this.ctx.pros)
    const { offered } = pro
    const surface = this.ctx.random.pick(['post', 'create', 'agent'] as const)
    const isPackage = surface !== 'post' && offered.package !== null && this.ctx.random.chance(0.5)
    const hoursAhead = this.ctx.random.chance(0.4) ? this.ctx.random.integer(2, 40) : this.ctx.random.integer(41, 7000)
    const startsMs = this.#hour(hoursAhead)
    const email = `customer-${this.ctx.random.integer(1, 50)}@example.com`
    const { booking, clientSecret } = await this.#request(pro, surface, { startsMs, email, isPackage })
    if (!booking) return
    const terms = agreedTerms(offered, isPackage, surface === 'post' ? 0 : FEE_CENTS)
    const code = booking['confirmationCode'] as string
    const minutes = isPackage ? offered.package?.minutes : surface === 'post' ? offered.slotMinutes : offered.minutes
    const it: AgreedBooking = {
      id: (booking['id'] ?? booking['bookingId']) as string,
      code,
      clientSecret,
      ...terms,
      startsMs,
      minutes: minutes ?? 0,
      email,
      address: ADDRESSES[surface],
      holdEndsMs: terms.payment ? this.ctx.nowMs + 15 * MINUTE_MS : null,
      status: terms.payment || offered.requiresApproval ? 'pending' : 'confirmed',
      cancelled: null,
      movedLate: false,
    }
    const { service, package: chosen, price, payment, status } = it
    expectShown(`created by ${surface}`, booking, {
      service,
      package: chosen,
      price: { ...price, currency: 'USD' },
      fee: (payment?.fee ?? 0) / 100,
      deposit: (payment?.deposit ?? 0) / 100,
      durationMinutes: it.minutes,
      status,
    })
    this.all.push({ pro, it })
    this.ctx.note(`booked by ${surface}${isPackage ? ' with a package' : ''}${payment ? '' : ' for nothing'}`)
    await this.check({ pro, it }, Object.keys(BOOKING_SURFACES))
    // Most customers pay at once.
    if (this.ctx.random.chance(0.6)) await this.pay({ pro, it })
  }

  async #request(
    pro: LifePro,
    surface: keyof typeof ADDRESSES,
    { startsMs, email, isPackage }: { startsMs: number; email: string; isPackage: boolean },
  ): Promise<{ booking: Json | null; clientSecret: string | null }> {
    const { app } = this.ctx.to.world
    const { serviceId, package: offeredPackage } = pro.offered
    if (surface === 'post') {
      const { date, time } = localTime(startsMs)
      const customer = { name: 'Homeowner in Austin', email }
      const json = { professionalId: pro.id, serviceId, date, time, customer, address: ADDRESSES.post }
      return await this.#created(await app.send('/api/v1/bookings', { key: this.ctx.to.key, json }))
    }
    const json = {
      professionalId: pro.id,
      serviceId,
      startDateTime: new Date(startsMs).toISOString(),
      guestName: 'Homeowner in Austin',
      guestEmail: email,
      ...ADDRESSES.create,
      ...(isPackage ? { packageId: offeredPackage?.id } : {}),
    }
    if (surface === 'create')
      return await this.#created(await app.send('/api/v1/bookings/create', { key: this.ctx.to.key, json }))
    const visit = { guestPhone: '+1 512 555 0142', address: ADDRESSES.agent }
    const args = { ...json, ...visit, zipCode: undefined }
    const reply = await callTool(app, CUSTOMER_SERVER, this.ctx.keys.agent, 'book_appointment', args)
    if (reply.isError) this.ctx.note(`refused: ${reply.problem?.code}`)
    const booking = reply.isError ? null : reply.structured
    return { booking, clientSecret: (booking?.['clientSecret'] ?? null) as string | null }
  }

  async #created(response: Response): Promise<{ booking: Json | null; clientSecret: string | null }> {
    const body = (await response.json()) as { code?: string; booking: Json; payment: { clientSecret: string } | null }
    if (response.status === 201) return { booking: body.booking, clientSecret: body.payment?.clientSecret ?? null }
    this.ctx.note(`refused: ${body.code}`)
    return { booking: null, clientSecret: null }
  }

  /** A booking, more often a recent one, in its current state. */
  #some(): Booked | undefined {
    if (this.all.length === 0) return undefined
    const from = this.ctx.random.chance(0.7) ? Math.max(0, this.all.length - 15) : 0
    const found = this.all[this.ctx.random.integer(from, this.all.length - 1)]
    if (found) passTime(found.it, this.ctx.nowMs)
    return found
  }

  async #changed(booking: Booked, what: string): Promise<void> {
    this.ctx.note(what)
    await this.check(booking, Object.keys(BOOKING_SURFACES))
  }

  async #paySecret(clientSecret: string, outcome: 'succeeds' | 'fails'): Promise<void> {
    const { status } = await this.ctx.to.world.app.send(`/sandbox/payments/${clientSecret}`, { json: { outcome } })
    expect(status).toBe(200)
  }

  async pay(booking = this.#some()): Promise<void> {
    if (!booking?.it.clientSecret) return
    const { it, pro } = booking
    const outcome = this.ctx.random.chance(0.8) ? 'succeeds' : 'fails'
    await this.#paySecret(it.clientSecret ?? '', outcome)
    if (outcome === 'succeeds') capture(it, pro.offered.requiresApproval)
    else if (it.payment?.status === 'requires_payment' && it.holdEndsMs !== null) it.payment.status = 'failed'
    await this.#changed(booking, `paid: ${it.payment?.status}`)
  }

  async cancel(): Promise<void> {
    const booking = this.#some()
    if (!booking) return
    const { it } = booking
    const reason = this.ctx.random.chance(0.5) ? `Reason ${this.ctx.serial()}` : undefined
    const path = `/api/v1/bookings/${it.id}/cancel`
    const { status } = await this.ctx.to.world.app.send(path, { key: this.ctx.to.key, json: reason ? { reason } : {} })
    const isPossible = it.status === 'pending' || (it.status === 'confirmed' && it.startsMs > this.ctx.nowMs)
    expect(['cancel', it.status, status]).toEqual(['cancel', it.status, isPossible ? 200 : 409])
    const keep = keepsPayment(it, this.ctx.nowMs)
    if (isPossible) end(it, 'customer', reason ?? null, keep)
    await this.#changed(booking, isPossible ? `cancelled${keep ? ' late' : ''}` : 'cancel refused')
  }

  async move(): Promise<void> {
    const booking = this.#some()
    if (!booking) return
    const { it } = booking
    const startsMs = this.#hour(this.ctx.random.integer(2, 7000))
    const isLate = keepsPayment(it, this.ctx.nowMs)
    const json = { startDateTime: new Date(startsMs).toISOString() }
    const { status } = await this.ctx.to.world.app.send(`/api/v1/bookings/${it.id}/reschedule`, {
      key: this.ctx.to.key,
      json,
    })
    if (status === 200) Object.assign(it, { startsMs, movedLate: isLate })
    await this.#changed(booking, status === 200 ? 'moved' : 'move refused')
  }

  async act(): Promise<void> {
    const booking = this.#some()
    if (!booking) return
    const { pro, it } = booking
    const action = this.ctx.random.pick(['confirm', 'confirm', 'reject', 'complete', 'no_show', 'cancel'] as const)
    const reason = action === 'reject' || action === 'cancel' ? `Reason ${this.ctx.serial()}` : undefined
    const answer = await this.ctx.asPro(pro, `/bookings/${it.id}`, { action, ...(reason ? { reason } : {}) })
    const hasBegun = it.startsMs < this.ctx.nowMs
    const isPossible = {
      confirm: it.status === 'pending' && it.holdEndsMs === null,
      reject: it.status === 'pending',
      cancel: it.status === 'pending' || it.status === 'confirmed',
      complete: it.status === 'confirmed' && it.startsMs <= this.ctx.nowMs,
      no_show: it.status === 'confirmed' && hasBegun,
    }[action]
    expect([action, it.status, 'booking' in answer]).toEqual([action, it.status, isPossible])
    if (isPossible && reason !== undefined) end(it, 'pro', reason, false)
    else if (isPossible) it.status = RESULTS[action]
    await this.#changed(booking, `pro: ${action}${isPossible ? '' : ' refused'}`)
  }

  /** The `n`th full hour from now. */
  #hour(n: number): number {
    return (Math.ceil(this.ctx.nowMs / HOUR_MS) + n) * HOUR_MS
  }
}

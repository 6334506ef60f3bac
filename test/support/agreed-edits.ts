// The edits of a random life: everything that a pro, their agent or an operator can change. What was agreed stays.
import { propose } from '../../src/features/agents/proposals/verbs/proposals.ts'
import type { Json, LifeContext, LifePro } from './agreed-context.ts'
import { ctxOf } from '../../src/ctx.ts'

/** Makes one random edit, on Hearth and on what the model knows of the offer. */
export async function editAnything(ctx: LifeContext): Promise<void> {
  const pro = ctx.random.pick(ctx.pros)
  const edits = editsOf(ctx, pro)
  const name = ctx.random.pick(Object.keys(edits))
  await edits[name]?.()
  ctx.note(`edited: ${name}`)
}

function editsOf(ctx: LifeContext, pro: LifePro): Record<string, () => Promise<unknown>> {
  const { offered } = pro
  const serial = ctx.serial()
  return {
    price: async () => {
      const base = ctx.random.chance(0.8) ? ctx.random.integer(2000, 90_000) : null
      const type = ctx.random.pick(['flat', 'hourly', 'per_unit'] as const)
      const unit = type === 'flat' ? null : type === 'hourly' ? 'hour' : `unit ${serial}`
      const [min, max] =
        base === null || ctx.random.chance(0.5) ? [base === null ? 5000 : null, null] : [base - 500, base + 1000]
      const dollars = (cents: number | null) => (cents === null ? null : cents / 100)
      const change = { priceType: type, unit, basePrice: dollars(base), minPrice: dollars(min), maxPrice: dollars(max) }
      if (await changeOffer(ctx, pro, change)) offered.price = { type, unit, base, min, max }
    },
    minutes: async () => {
      const durationMinutes = ctx.random.integer(3, 24) * 5
      if (await changeOffer(ctx, pro, { durationMinutes })) offered.minutes = durationMinutes
    },
    package: async () => {
      const packagePrice = ctx.random.integer(2000, 80_000) / 100
      const [packageName, includes] = [`Package ${serial}`, [`Work ${serial}`, `Material ${serial}`]]
      const changed = await changeOffer(ctx, pro, { packageKind: 'standard', packageName, packagePrice, includes })
      const cents = Math.round(packagePrice * 100)
      const made = changed?.['package'] as { id: string } | undefined
      if (made) offered.package = { id: made.id, name: packageName, includes, cents, minutes: offered.minutes }
    },
    'no package': async () => {
      if (await changeOffer(ctx, pro, { packageKind: null })) offered.package = null
    },
    deposit: async () => {
      const depositPercentage = ctx.random.chance(0.7) ? ctx.random.integer(1, 10_000) / 100 : null
      const change = { depositRequired: depositPercentage !== null, depositPercentage }
      if ('settings' in (await ctx.asPro(pro, '/availability', change, 'PATCH')))
        offered.depositPercentage = depositPercentage
    },
    settings: async () => {
      const [slotMinutes, requiresApproval] = [ctx.random.integer(3, 24) * 5, ctx.random.chance(0.3)]
      const change = { defaultSlotMinutes: slotMinutes, requiresApproval }
      if ('settings' in (await ctx.asPro(pro, '/availability', change, 'PATCH')))
        Object.assign(offered, { slotMinutes, requiresApproval })
    },
    profile: async () =>
      await ctx.asPro(pro, '/profile', { businessName: `Business ${serial}`, description: `Text ${serial}` }, 'PATCH'),
    service: async () => {
      offered.serviceName = `Service ${serial}`
      await ctx.to.world.sql`update services set name = ${offered.serviceName} where id = ${offered.serviceId}`
    },
    proposal: async () => {
      const base = ctx.random.integer(6000, 90_000)
      const owner = { accountId: pro.accountId, professionalId: pro.id }
      const input = { kind: 'service_pricing', targetId: offered.serviceId, change: { basePrice: base / 100 } } as const
      const value = await propose(ctxOf(ctx.to.world.app.deps, owner), input)
      const answer = await ctx.asPro(pro, `/proposals/${value.id}/confirm`, {})
      const { status } = (answer['proposal'] ?? {}) as { status?: string }
      ctx.note(`proposal ${status ?? String(answer['code'])}`)
      if (status === 'confirmed') offered.price = { ...offered.price, base }
    },
  }
}

async function changeOffer(ctx: LifeContext, pro: LifePro, change: object): Promise<Json | undefined> {
  const json = { serviceId: pro.offered.serviceId, ...change }
  const answer = await ctx.to.world.app.send('/api/pro/services', { method: 'PATCH', key: pro.key, json })
  if (answer.status !== 200) ctx.note(`edit refused: ${JSON.stringify(await answer.json()).slice(0, 160)}`)
  return answer.status === 200 ? ((await answer.json()) as Json) : undefined
}

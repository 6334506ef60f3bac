// What the audit log says of a saved version: its area, its opening, and all else are acts of their own.
import type { MarketplaceVersion } from '../schemas.ts'

interface Act {
  action: 'area.changed' | 'marketplace.changed' | 'marketplace.opened'
  details: Record<string, unknown>
}

/** The acts by which the one version became the other; saving it as it was is a change of nothing. */
export function savedActs(before: MarketplaceVersion, after: MarketplaceVersion): Act[] {
  const { version: _, area, isOpen, ...says } = after
  const changed = Object.entries(says).filter(
    ([name, value]) => !Bun.deepEquals(before[name as keyof typeof says], value),
  )
  const fields = Object.fromEntries(changed.map(([name, value]) => [name, [before[name as keyof typeof says], value]]))
  const acts: Act[] = []
  if (!Bun.deepEquals(before.area, area))
    acts.push({ action: 'area.changed', details: { before: before.area, after: area } })
  if (isOpen !== before.isOpen)
    acts.push({ action: isOpen ? 'marketplace.opened' : 'marketplace.changed', details: { isOpen } })
  if (changed.length > 0 || acts.length === 0) acts.push({ action: 'marketplace.changed', details: { fields } })
  return acts
}

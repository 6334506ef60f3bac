// Prices of offers as people read them.
import type { ProfessionalDetail } from '../../features/pros/schemas.ts'
import { money, some } from '../ui/format.ts'

/** "$80 to $160", "$95 per hour", "from $50", or that it is to be asked for. */
export function priceOf({
  basePrice,
  min,
  max,
  unit,
  currency,
}: ProfessionalDetail['services'][number]['pricing']): string {
  const per = unit === null ? '' : ` per ${unit.replaceAll('_', ' ').replace(/^per /, '')}`
  const amount = (value: number) => money(value, currency, 0)
  if (min !== null && max !== null && min !== max) return `${amount(min)} to ${amount(max)}${per}`
  const one = basePrice ?? min ?? max
  return one === null ? 'By quote' : `${min === null && max === null ? '' : 'from '}${amount(one)}${per}`
}

/** "45 minutes", "2 hours", "1 hour 30 minutes". */
export function duration(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  return [hours > 0 && some(hours, 'hour'), rest > 0 && some(rest, 'minute')].filter(Boolean).join(' ')
}

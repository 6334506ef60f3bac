// Prices of offers as people read them.
import type { ProfessionalDetail } from '../../features/pros/model.ts'
import { money } from '../format.ts'

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

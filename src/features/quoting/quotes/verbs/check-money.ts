// Checks that the amounts of a quote add up, in whole cents.
import { invalidField, invalidFields } from '../../../../errors/app-error.ts'
import type { FieldError } from '../../../../errors/kind.ts'
import { isWholeCents, toCents } from '../../../../platform/schema/money.ts'
import { type DepositLimits, limitProblem, percentageProblem } from '../../../booking/bookings/rules/deposits.ts'
import type { LineItem, NewQuote } from '../schemas.ts'

/** Throws validation_failed naming each amount that is not in whole cents or does not match the others. */
export function checkMoney(quote: NewQuote): void {
  const errors = [...totalErrors(quote), ...(quote.lineItems ?? []).flatMap(itemErrors), ...depositErrors(quote)]
  if (errors.length > 0) throw invalidFields(errors)
}

/** Throws validation_failed for a deposit outside the limits of the marketplace, which hold when a quote is sent. */
export function requireLimits(
  { depositPercentage = null }: { depositPercentage?: number | null | undefined },
  limits: DepositLimits,
): void {
  const problem = limitProblem(depositPercentage, limits)
  if (problem !== undefined) throw invalidField('body.depositPercentage', problem)
}

function totalErrors({ amount, lineItems = [] }: NewQuote): FieldError[] {
  if (!isWholeCents(amount)) return [{ path: 'body.amount', message: 'must be in whole cents' }]
  const sum = lineItems.reduce((cents, item) => cents + toCents(item.amount), 0)
  if (lineItems.length === 0 || sum === toCents(amount)) return []
  return [{ path: 'body.amount', message: `must be the sum of the line items, ${(sum / 100).toFixed(2)}` }]
}

function itemErrors({ quantity, unitPrice, amount }: LineItem, index: number): FieldError[] {
  const path = `body.lineItems.${index}.amount`
  if (!isWholeCents(amount)) return [{ path, message: 'must be in whole cents' }]
  // Half a cent may be rounded up or down.
  const exactCents = quantity * unitPrice * 100
  if (Math.abs(toCents(amount) - exactCents) < 0.5 + 1e-6) return []
  return [{ path, message: `must be quantity × unitPrice, ${(exactCents / 100).toFixed(2)}` }]
}

function depositErrors({ depositRequired = false, depositPercentage }: NewQuote): FieldError[] {
  const message = percentageProblem(depositRequired, depositPercentage ?? null)
  return message === undefined ? [] : [{ path: 'body.depositPercentage', message }]
}

// Whether the money of a quote adds up: dollars as the API has them, compared in whole cents.
import { invalidFields } from '../../errors/app-error.ts'
import type { FieldError } from '../../errors/kind.ts'
import type { LineItem, NewQuote } from './schemas.ts'

/** Dollars as whole cents. */
export const toCents = (dollars: number): number => Math.round(dollars * 100)

/** Whether this is a number of whole cents; what binary fractions add is less than a millionth of one. */
export const isWholeCents = (dollars: number): boolean => Math.abs(dollars * 100 - toCents(dollars)) < 1e-6

/** Throws validation_failed that names each field which is not in whole cents or does not agree with the others. */
export function checkMoney(quote: NewQuote): void {
  const errors = [...wrongTotal(quote), ...(quote.lineItems ?? []).flatMap(wrongItem), ...wrongDeposit(quote)]
  if (errors.length === 0) return
  throw invalidFields(errors)
}

function wrongTotal({ amount, lineItems = [] }: NewQuote): FieldError[] {
  if (!isWholeCents(amount)) return [{ path: 'body.amount', message: 'must be in whole cents' }]
  const sum = lineItems.reduce((cents, item) => cents + toCents(item.amount), 0)
  if (lineItems.length === 0 || sum === toCents(amount)) return []
  return [{ path: 'body.amount', message: `must be the sum of the line items, ${(sum / 100).toFixed(2)}` }]
}

function wrongItem({ quantity, unitPrice, amount }: LineItem, index: number): FieldError[] {
  const path = `body.lineItems.${index}.amount`
  if (!isWholeCents(amount)) return [{ path, message: 'must be in whole cents' }]
  // Half a cent may be rounded either way.
  const exactCents = quantity * unitPrice * 100
  if (Math.abs(toCents(amount) - exactCents) < 0.5 + 1e-6) return []
  return [{ path, message: `must be quantity × unitPrice, ${(exactCents / 100).toFixed(2)}` }]
}

const wrongDeposit = ({ depositRequired, depositPercentage }: NewQuote): FieldError[] =>
  depositPercentage === undefined || depositRequired
    ? []
    : [{ path: 'body.depositPercentage', message: 'goes with depositRequired: true only' }]

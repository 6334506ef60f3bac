// Amounts: decimal numbers of the API's currency unit at the edge, integer cents inside.

/** Dollars as cents, rounded to a whole cent. */
export const toCents = (dollars: number): number => Math.round(dollars * 100)

/** Cents as dollars. */
export const fromCents = (cents: number): number => cents / 100

/** Whether an amount in dollars is a whole number of cents, within the error of binary fractions. */
export const isWholeCents = (dollars: number): boolean => Math.abs(dollars * 100 - toCents(dollars)) < 1e-6

/**
 * The smallest payment that the provider takes (https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts).
 */
export const MINIMUM_PAYMENT_CENTS = 50

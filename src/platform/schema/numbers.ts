// Numbers in schemas: every number that a request may carry has two bounds, so that none reaches a column too small for it.
import { type NumberOptions, Type } from '@sinclair/typebox'

/** The bounds of PostgreSQL's type `integer`. */
export const MIN_INTEGER = -2_147_483_648
export const MAX_INTEGER = 2_147_483_647

/** Both bounds are allowed values: an amount above nothing is at least a cent, because columns round what is smaller to 0. */
type Bounded = Omit<NumberOptions, 'exclusiveMinimum' | 'exclusiveMaximum'> & { minimum: number; maximum: number }

/**
 * A whole number within bounds, which must be within those of PostgreSQL's type `integer`:
 * `Integer({ minimum: 1, maximum: 50, default: 20 })`.
 */
export const Integer = (options: Bounded) => Type.Integer(options)

/** A number within bounds. */
export const Decimal = (options: Bounded) => Type.Number(options)

/** A whole number from 0 that PostgreSQL stores as `integer`, such as a number of rows or minutes. */
export const Natural = (options: NumberOptions = {}) => Integer({ minimum: 0, maximum: MAX_INTEGER, ...options })

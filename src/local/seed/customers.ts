// The fictional customers of demo history.
import type { Pro } from './pros.ts'
import type { Random } from './random.ts'

export interface Customer {
  name: string
  email: string
}

/** Sources of requests, with weights. */
export const sources = [
  ['web', 62],
  ['api', 12],
  ['chatgpt', 12],
  ['agent', 7],
  ['gemini', 4],
  ['perplexity', 3],
] as const

export type Source = (typeof sources)[number][0]

const customerCount = 5_000_000

/** Generates different customers for one pro. */
export class Customers {
  private readonly used = new Set<number>()

  constructor(
    private readonly random: Random,
    private readonly pro: Pro,
  ) {}

  next(): Customer {
    let number = this.random.integer(1, customerCount)
    while (this.used.has(number)) number = this.random.integer(1, customerCount)
    this.used.add(number)
    return { name: `Homeowner in ${this.pro.city.name}`, email: `customer-${number}@example.com` }
  }
}

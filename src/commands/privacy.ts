// `hearth privacy export | erase`: a customer's copy of their data, and its erasure.
import { closeSync, openSync, writeSync } from 'node:fs'
import { userInfo } from 'node:os'

import type { OpenWork } from '../features/customers/privacy/schemas.ts'
import { eraseCustomer } from '../features/customers/privacy/verbs/erase-customer.ts'
import { exportCustomer, findAccountOf } from '../features/customers/privacy/verbs/export-customer.ts'
import { isEmail } from '../platform/schema/types.ts'
import { withDeps } from './command-deps.ts'
import { UsageError } from './failure.ts'

/** A large customer's statements take longer than a request may. */
const DATABASE_LIMIT_MS = 10 * 60_000

/** Prints everything that is stored about a customer as JSON, or writes it to a new file that only its owner can read. */
export const runPrivacyExport = (email: string, { output }: { output?: string }) =>
  withDeps(async (ctx) => {
    requireEmail(email)
    if (output === undefined) {
      for await (const part of exportCustomer(ctx, { email })) process.stdout.write(part)
      return
    }
    const file = openNewFile(output)
    for await (const part of exportCustomer(ctx, { email })) writeSync(file, part)
    closeSync(file)
    console.log(`Wrote ${output}. Only you can read it.`)
  }, DATABASE_LIMIT_MS)

function requireEmail(text: string): void {
  if (!isEmail(text)) throw new UsageError(`"${text}" is not an e-mail address.`)
}

function openNewFile(path: string): number {
  try {
    return openSync(path, 'wx', 0o600)
  } catch (error) {
    throw new UsageError(`${path} was not written: ${(error as Error).message}. Choose a new file.`)
  }
}

interface EraseOptions {
  requestedBy?: string
  json?: boolean
}

/** Erases a customer, and prints what was changed. */
export const runPrivacyErase = (email: string, { requestedBy, json }: EraseOptions) =>
  withDeps(async (ctx) => {
    requireEmail(email)
    const who = requestedBy ?? `${userInfo().username} at a terminal`
    const result = await eraseCustomer(ctx, { email, requestedBy: who })
    if (result.outcome === 'open_work') throw new UsageError(explain(result.open))
    if (json) console.log(JSON.stringify(result))
    else if (result.outcome === 'erased') {
      console.log(`Erased. The customer's records now belong to ${result.pseudonym}.`)
      for (const [table, rows] of Object.entries(result.counts)) console.log(`  ${String(rows).padStart(6)}  ${table}`)
    } else {
      const { erasedBefore: last } = result
      console.log('Nothing is stored about a customer with this e-mail address.')
      if (last) console.log(`The customer was erased at ${last.erasedAt} as ${last.pseudonym}.`)
    }
    const account = await findAccountOf(ctx, { email })
    if (account !== undefined && !json)
      console.log(`The address also belongs to an account (${account}), which was not changed.`)
  }, DATABASE_LIMIT_MS)

const REMEDIES: Readonly<Record<keyof OpenWork, string>> = {
  bookings: 'Bookings whose visit is not over: cancel them first, through the customer’s link or the pro',
  jobs: 'Jobs that are not finished: the pro completes or cancels them first',
  refunds: 'Refunds or disputes in progress: try again when the money is where it belongs',
  runs: 'Agents that work with the customer’s data: try again when their runs have ended',
}

function explain(open: OpenWork): string {
  const lines = Object.entries(REMEDIES).flatMap(([kind, remedy]) => {
    const ids = open[kind as keyof OpenWork]
    return ids.length > 0 ? [`  ${remedy}: ${ids.join(', ')}.`] : []
  })
  return ['The customer was not erased, and nothing was changed.', ...lines].join('\n')
}

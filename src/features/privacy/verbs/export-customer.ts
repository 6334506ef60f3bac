// A customer's copy of everything that is stored about them.
import type { Deps } from '../../../deps.ts'
import { findAccountKind } from '../queries/customer.ts'
import {
  findCustomerAccount,
  findRecords,
  findMessagesTo,
  selectEvents,
  selectPreparedWork,
  selectRowsOfPros,
} from '../queries/export.ts'
import type { CustomerExport } from '../schemas.ts'
import { findCustomer, otherRows, recordIds } from './find-customer.ts'

/** Where pros' texts name the customer, for people to read. */
const PLACES: Readonly<Record<string, string>> = {
  threads: 'titles of conversations with an agent',
  thread_messages: 'messages to or from an agent',
  agent_runs: 'tasks of an agent and their results',
  agent_steps: 'what an agent looked up',
  availability_blocks: 'reasons of blocked time',
  proposals: 'changes that an agent proposed',
  prepared_work: 'day briefs',
}

/** Everything that is stored about the customer with this normal e-mail address; empty lists for an unknown one. */
export async function exportCustomer(deps: Deps, email: string): Promise<CustomerExport> {
  const { write: db, clock } = deps
  const { ids, redactor } = await findCustomer(db, email)
  const about = recordIds(ids)
  const mentions = []
  for (const { table, where } of otherRows(ids, redactor)) {
    const place = PLACES[table]
    if (!place) continue
    const rows = (await selectRowsOfPros(db, table, where)).filter(({ row }) => redactor.mentions(row))
    const times = Map.groupBy(rows, ({ professional }) => professional)
    for (const [professional, { length }] of times) mentions.push({ where: place, professional, times: length })
  }
  return {
    format: 'hearth-customer-export',
    version: 2,
    exportedAt: clock.now().toISOString(),
    email,
    account: await findCustomerAccount(db, email),
    ...(await findRecords(db, email, ids, clock.now())),
    preparedWork: await selectPreparedWork(db, ids),
    messages: await findMessagesTo(db, email),
    mentions,
    events: await selectEvents(db, about),
  }
}

/** The kind of an account or login with this address. Such an account is no customer's: neither verb covers it. */
export const findAccountOf = ({ read }: Deps, email: string): Promise<string | undefined> =>
  findAccountKind(read, email)

// Bulk loading into empty tables: drops indexes, constraints and triggers first and restores them afterwards.
import type { Writable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'

import type { TransactionSql } from 'postgres'

/** A transaction of postgres.js. */
export type Transaction = TransactionSql<Record<string, never>>

interface Definition {
  drop: string
  create: string
}

/**
 * Drops what slows down loading and returns the statements that restore it. Runs in the caller's transaction: a failed load
 * leaves the tables unchanged, and the tables stay locked until it ends.
 */
export const dropIndexes = async (tx: Transaction, tables: readonly string[]): Promise<Definition[]> => {
  const definitions = [...(await foreignKeys(tx, tables)), ...(await keys(tx, tables)), ...(await indexes(tx, tables))]
  for (const { drop } of definitions) await tx.unsafe(drop)
  for (const table of tables) await tx`alter table ${tx(table)} disable trigger user`
  return definitions
}

/** Restores what {@link dropIndexes} dropped: indexes first, then the constraints that need them. */
export const restoreIndexes = async (
  tx: Transaction,
  tables: readonly string[],
  definitions: readonly Definition[],
  note: (done: number, of: number) => void,
): Promise<void> => {
  let done = 0
  for (const { create } of definitions.toReversed()) {
    await tx.unsafe(create)
    note(++done, definitions.length)
  }
  for (const table of tables) await tx`alter table ${tx(table)} enable trigger user`
}

/** Foreign keys of these tables, and foreign keys of other tables that refer to them. */
const foreignKeys = (tx: Transaction, tables: readonly string[]): Promise<Definition[]> => tx`
  select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
    format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as create
  from pg_constraint
  where contype = 'f' and conparentid = 0
    and (conrelid = any (string_to_array(${tables.join(' ')}, ' ')::regclass[]) or confrelid = any (string_to_array(${tables.join(' ')}, ' ')::regclass[]))
  order by conrelid::regclass::text, conname`

/** Primary keys, unique and exclusion constraints: the constraints with an index. */
const keys = (tx: Transaction, tables: readonly string[]): Promise<Definition[]> => tx`
  select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
    format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as create
  from pg_constraint
  where contype in ('p', 'u', 'x') and conrelid = any (string_to_array(${tables.join(' ')}, ' ')::regclass[])
  order by conrelid::regclass::text, conname`

const indexes = (tx: Transaction, tables: readonly string[]): Promise<Definition[]> => tx`
  select format('drop index %s', indexrelid::regclass) as drop, pg_get_indexdef(indexrelid) as create
  from pg_index
  where indrelid = any (string_to_array(${tables.join(' ')}, ' ')::regclass[])
    and not exists (select from pg_constraint where conindid = indexrelid and contype in ('p', 'u', 'x'))
  order by indexrelid::regclass::text`

/**
 * Sends rows to a table as COPY text. `frozen` requires a table truncated in this transaction: its rows need no later
 * vacuum, and a cluster with wal_level minimal writes no WAL for them.
 */
export const copyInto = async (
  tx: Transaction,
  table: string,
  columns: readonly string[],
  text: string,
  frozen: boolean,
): Promise<void> => {
  const stream =
    await tx`copy ${tx(table)} (${tx([...columns])}) from stdin ${frozen ? tx`with (freeze)` : tx``}`.writable()
  await send(tx, table, stream, text)
}

const chunkLength = 1 << 18

/**
 * Writes the text and waits until the server has accepted it. postgres.js 3.4.9 loses an error that arrives after the last
 * chunk, and its stream then never finishes. A statement sent after the COPY fails with the same error and reveals it.
 */
const send = async (tx: Transaction, table: string, stream: Writable, text: string): Promise<void> => {
  const failed = new Promise<never>((_, reject) => stream.on('error', reject))
  await Promise.race([failed, write(stream, text)])
  await setImmediate()
  await Promise.race([failed, tx`select 1`]).catch((cause: unknown) => {
    throw new Error(`the database rejected rows for ${table}; see its log`, { cause })
  })
}

const write = async (stream: Writable, text: string): Promise<void> => {
  for (let at = 0; at < text.length; at += chunkLength) {
    await new Promise<void>((resolve, reject) =>
      stream.write(text.slice(at, at + chunkLength), (error) => (error ? reject(error) : resolve())),
    )
  }
  stream.end()
}

// Loading many rows into empty tables: without their indexes, constraints and triggers, which are put back after.
import type { Writable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'

import type { TransactionSql } from 'postgres'

/** A transaction of postgres.js, with whatever types its pool has. */
export type Transaction = TransactionSql<Record<string, never>>

interface Definition {
  drop: string
  create: string
}

/**
 * Takes off the tables what slows down loading, and returns the way to put it back. All of it happens in the caller's
 * transaction: a load that fails leaves the tables as they were. The tables are locked until then.
 */
export const dropIndexes = async (tx: Transaction, tables: readonly string[]): Promise<Definition[]> => {
  const definitions = [...(await foreignKeys(tx, tables)), ...(await keys(tx, tables)), ...(await indexes(tx, tables))]
  for (const { drop } of definitions) await tx.unsafe(drop)
  for (const table of tables) await tx`alter table ${tx(table)} disable trigger user`
  return definitions
}

/** Puts back what {@link dropIndexes} took off: indexes first, what refers to them after. */
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

/** Foreign keys of these tables, and those of others that refer to them. */
const foreignKeys = (tx: Transaction, tables: readonly string[]): Promise<Definition[]> => tx`
  select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
    format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as create
  from pg_constraint
  where contype = 'f' and conparentid = 0
    and (conrelid = any (string_to_array(${tables.join(' ')}, ' ')::regclass[]) or confrelid = any (string_to_array(${tables.join(' ')}, ' ')::regclass[]))
  order by conrelid::regclass::text, conname`

/** Primary keys, unique and exclusion constraints: those with an index behind them. */
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
 * Sends rows to a table as COPY text. With `frozen`, which asks for a table truncated in this transaction, the rows need
 * no later vacuum, and a cluster of wal_level minimal writes no log for them.
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
 * Writes the text and waits until the server has taken it. postgres.js 3.4.9 loses an error that arrives after the last
 * chunk, and its stream then never finishes: a statement sent behind the COPY is what tells, as it fails with it.
 */
const send = async (tx: Transaction, table: string, stream: Writable, text: string): Promise<void> => {
  const broken = new Promise<never>((_, reject) => stream.on('error', reject))
  await Promise.race([broken, write(stream, text)])
  await setImmediate()
  await Promise.race([broken, tx`select 1`]).catch((cause: unknown) => {
    throw new Error(`the database refused rows for ${table}: its log says why`, { cause })
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

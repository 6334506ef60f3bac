// Wake-ups follow commits: nothing that happens often holds PostgreSQL's lock of notifications while it commits.
import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { waitUntil } from '../../../src/platform/clock/deadlines.ts'
import type { WritePool } from '../../../src/platform/postgres/database.ts'
import { openDirectSession } from '../../../src/platform/postgres/direct-session.ts'
import { openWakeUps } from '../../../src/platform/postgres/wake-ups.ts'
import { openTestApp } from '../../support/app.ts'
import { opened } from '../../support/fixture.ts'
import { ROOT, filesUnder } from '../../support/imports.ts'

/** What notifies inside a transaction, so that its commit waits for those of the others. Each is rare. */
const IN_TRANSACTIONS: Readonly<Record<string, string>> = {
  notify_marketplace: 'operators change what the marketplace says of itself',
  notify_catalog_names: 'operators change services and places by hand',
  add_time_zone: 'the first pro of a zone',
  notifyZonesChanged: 'an operator has updated the data of time zones',
  notifyKeysChanged: 'a person was erased',
  revokeKeyById: 'a person revokes a key; no process may miss it, so it is part of the commit',
  revokeKeysOf: 'a pro closes the account',
  replaceKey: 'a person replaces a key',
  moveOperatorKeys: 'a person logs in with another address, and the keys that act for an operator follow',
  deleteToken: 'an app gives its token back',
  revokeOAuthGrants: 'a person disconnects an app',
  revokeGrantsOfUser: 'a user has a new password or is disabled',
}
/** Notifies after the commit. */
const AFTER_COMMITS = 'notifyAll'

const NOTIFIES = /\bpg_notify\s*\(|\bnotify\s+["a-z_]+\s*[,;`]/i

/** The functions of the schema that notify. */
function notifyingFunctions(): string[] {
  const files = filesUnder('sql/functions').map((file) => readFileSync(join(ROOT, file), 'utf8'))
  const functions = files.flatMap((text) => [
    ...text.matchAll(/^create or replace function (\w+)\([\s\S]*?\$\$[\s\S]*?\$\$[^;$]*;/gim),
  ])
  expect(functions.length).toBeGreaterThan(200)
  return functions.flatMap(([text, name = '']) => (NOTIFIES.test(text) ? [name] : []))
}

/** The names of the statements of the program that notify. */
function notifyingStatements(): string[] {
  const files = ['src', 'workers', 'sql/queries'].flatMap((folder) => filesUnder(folder))
  return files.flatMap((file) => {
    const text = readFileSync(join(ROOT, file), 'utf8')
    return [...text.matchAll(new RegExp(NOTIFIES, 'gi'))].map(
      ({ index }) =>
        [...text.slice(0, index).matchAll(/^(?:-- name: |\s*(?:.*\.run\w*(?:<.*>)?\()?')(\w+)/gm)].at(-1)?.[1] ?? file,
    )
  })
}

test('only rare transactions notify, each for a reason', () => {
  const found = [...notifyingFunctions(), ...notifyingStatements()]
  expect(new Set(found)).toEqual(new Set([...Object.keys(IN_TRANSACTIONS), AFTER_COMMITS]))
})

const app = await opened(openTestApp('migrated'))

describe('on a database', () => {
  /** The notifications of a channel, in order of arrival. */
  async function listen(channel: 'outbox_written' | 'agent_runs_moved') {
    const heard: string[] = []
    const session = openDirectSession(app.databaseUrl)
    session.subscribe({ onNotification: (_, payload) => void (payload !== undefined && heard.push(payload)) })
    session.listen(channel)
    expect(await waitUntil(() => session.isListening(), 5000)).toBe(true)
    /** Resolves when all that was sent before has arrived. */
    const settle = async () => {
      const last = crypto.randomUUID()
      await app.sql`select pg_notify(${channel}, ${last})`
      expect(await waitUntil(() => heard.includes(last), 5000)).toBe(true)
      heard.splice(heard.indexOf(last), 1)
    }
    return { heard, settle, close: () => session.close() }
  }

  const writeEvent = (write: Pick<WritePool, 'run'>) =>
    write.run(
      'writeEvent',
      (sql) => sql`
        select emit_event(gen_random_uuid(), 'test.event', gen_random_uuid(), 'test', gen_random_uuid(), 1, '{}', null, now())`,
    )

  test('a commit that writes an event wakes the relay, and one that is rolled back does not', async () => {
    const { heard, settle, close } = await listen('outbox_written')
    const { write } = app.deps
    await write.begin('kept', async (tx) => void (await writeEvent(tx)))
    expect(await waitUntil(() => heard.length === 1, 5000)).toBe(true)
    await writeEvent(write)
    expect(await waitUntil(() => heard.length === 2, 5000)).toBe(true)
    const undone = write.begin('undone', async (tx) => {
      await writeEvent(tx)
      throw new RangeError('undone')
    })
    expect(await undone.catch(String)).toBe('RangeError: undone')
    await settle()
    expect(heard.length).toBe(2)
    await close()
  })

  test('the transaction itself does not notify', async () => {
    const { heard, settle, close } = await listen('outbox_written')
    await app.sql`select emit_event(gen_random_uuid(), 'test.event', gen_random_uuid(), 'test', gen_random_uuid(), 1, '{}', null, now())`
    await settle()
    expect(heard).toEqual([])
    await close()
  })

  test('a wake-up is sent when its transaction has committed, not while it runs', async () => {
    const { heard, settle, close } = await listen('outbox_written')
    const { write } = app.deps
    const isWritten = Promise.withResolvers<void>()
    const mayCommit = Promise.withResolvers<void>()
    const slow = write.begin('slow', async (tx) => {
      await writeEvent(tx)
      isWritten.resolve()
      await mayCommit.promise
    })
    await isWritten.promise
    // Commits meanwhile and asks for nothing.
    await write.run('other', (sql) => sql`select 1`)
    await settle()
    expect(heard).toEqual([])
    mayCommit.resolve()
    await slow
    expect(await waitUntil(() => heard.length === 1, 5000)).toBe(true)
    await close()
  })

  test('many commits share wake-ups', async () => {
    const { heard, settle, close } = await listen('outbox_written')
    const startedMs = performance.now()
    await Promise.all(Array.from({ length: 200 }, () => writeEvent(app.deps.write)))
    const tookMs = performance.now() - startedMs
    await waitUntil(() => heard.length > 0, 5000)
    await settle()
    // One at the start, and one for each 10 ms.
    expect(heard.length).toBeLessThanOrEqual(3 + tookMs / 10)
    await close()
  })

  test('closing sends what is still to be sent', async () => {
    const sent: string[] = []
    const wakeUps = openWakeUps({ run: (name) => (sent.push(name), Promise.resolve([])) }, () => undefined)
    const write = () => wakeUps.afterCommit(async () => wakeUps.onNotice({ code: 'HE001', message: 'outbox_written' }))
    await write()
    await write()
    await wakeUps.close()
    expect(sent).toEqual(['notifyAll', 'notifyAll'])
  })
})

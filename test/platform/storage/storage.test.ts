// What both storages of files promise: a bucket behind a service that verifies signatures, and a folder.
import { describe, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { openFolder } from '../../../src/platform/storage/folder.ts'
import { openS3 } from '../../../src/platform/storage/s3.ts'
import { type Storage, bytesOf } from '../../../src/platform/storage/storage.ts'
import { StoreUnavailable } from '../../../src/platform/store-error.ts'
import { openFakeS3 } from '../../support/fake-s3.ts'
import { opened } from '../../support/fixture.ts'

const folder = mkdtempSync(join(tmpdir(), 'hearth-storage-'))
await opened({ remove: () => rmSync(folder, { recursive: true, force: true }) }, 'remove')
const s3 = await opened(openFakeS3())
const s3Config = { ...s3, endpoint: s3.url, region: 'us-east-1' }

const STORAGES: [name: string, storage: Storage, leftovers: () => number][] = [
  ['a folder', openFolder(folder), () => readdirSync(join(folder, 'writing')).length],
  ['a bucket', openS3(s3Config), () => s3.parts.size],
]

const MEBIBYTE = 1024 * 1024

/** A client who sends so many mebibytes, and then leaves if told so. */
async function* sent(mebibytes: number, leaves = false) {
  for (let index = 0; index < mebibytes; index++) yield new Uint8Array(MEBIBYTE).fill(index)
  if (leaves) throw new Error('the client left')
}

describe.each(STORAGES)('%s', (_, storage, leftovers) => {
  test('gives back what was stored, once it is replaced the new content, and nothing after its removal', async () => {
    const key = 'ready/abc-large.webp'
    expect(await storage.get(key)).toBeUndefined()
    for (const text of ['first', 'second']) {
      await storage.put(key, Buffer.from(text))
      const object = await storage.get(key)
      const bytes = object && (await bytesOf(object, text.length))
      expect([object?.bytes, Buffer.from(bytes ?? []).toString()]).toEqual([text.length, text])
    }
    await storage.delete(key)
    expect(await storage.get(key)).toBeUndefined()
    await storage.delete(key)
  })

  test.each([1, 12])('stores a stream of %d MiB whole', async (mebibytes) => {
    await storage.put('received/stream', sent(mebibytes))
    const object = await storage.get('received/stream')
    const bytes = object && (await bytesOf(object, mebibytes * MEBIBYTE))
    expect(object?.bytes).toBe(mebibytes * MEBIBYTE)
    expect(bytes?.at(-1)).toBe(mebibytes - 1)
    expect(leftovers()).toBe(0)
  })

  test.each([1, 12])('stores nothing of a client who leaves after %d MiB, and says why', async (mebibytes) => {
    const attempt = storage.put('received/left', sent(mebibytes, true))
    expect(attempt).rejects.toThrow('the client left')
    expect(await storage.get('received/left')).toBeUndefined()
    expect(leftovers()).toBe(0)
  })

  test.each(['../secret', 'received/../../secret', 'received/a/b', '/etc/passwd', 'received/', 'received/.', ''])(
    'takes no key %p',
    async (key) => {
      expect(storage.put(key, Buffer.from('x'))).rejects.toThrow('not a key')
      expect(storage.get(key)).rejects.toThrow('not a key')
      expect(storage.delete(key)).rejects.toThrow('not a key')
    },
  )
})

test('a folder is open to its user only', async () => {
  await openFolder(folder).put('received/mode', Buffer.from('x'))
  const path = join(folder, 'received', 'mo', 'mode')
  expect([folder, join(folder, 'received'), join(folder, 'received', 'mo')].map(modeOf).slice(1)).toEqual([
    0o700, 0o700,
  ])
  expect(modeOf(path)).toBe(0o600)
})

const modeOf = (path: string) => statSync(path).mode & 0o777

test('a folder drops what a process left that died while it wrote, and nothing that is being written', async () => {
  const storage = openFolder(folder)
  await storage.put('received/kept', Buffer.from('x'))
  const left = join(folder, 'writing', crypto.randomUUID())
  writeFileSync(left, 'half a photo')
  await storage.sweep(new Date(Date.now() - 60_000))
  expect(existsSync(left)).toBe(true)
  await storage.sweep(new Date(Date.now() + 60_000))
  expect(existsSync(left)).toBe(false)
  expect(await storage.get('received/kept')).toBeDefined()
})

test('a folder that cannot be written is unavailable', async () => {
  const file = join(folder, 'no-folder')
  writeFileSync(file, '')
  const attempt = openFolder(file).put('received/x', Buffer.from('x'))
  expect(attempt).rejects.toBeInstanceOf(StoreUnavailable)
})

describe('a bucket', () => {
  test('is sent signatures that hold, for every call', () => {
    expect(s3.refused).toEqual([])
  })

  test('refuses another secret', async () => {
    const storage = openS3({ ...s3Config, secretAccessKey: 'another' })
    expect(storage.put('received/x', Buffer.from('x'))).rejects.toBeInstanceOf(StoreUnavailable)
    expect(storage.get('received/x')).rejects.toBeInstanceOf(StoreUnavailable)
    expect(storage.delete('received/x')).rejects.toBeInstanceOf(StoreUnavailable)
    expect(s3.refused.splice(0).every((line) => line.endsWith('SignatureDoesNotMatch'))).toBe(true)
    expect(s3.objects.has('received/x')).toBe(false)
  })

  test('that is down or fails is unavailable, and never says the secret', async () => {
    const down = openS3({ ...s3Config, endpoint: 'http://127.0.0.1:1' })
    const error = await down.put('received/x', Buffer.from('x')).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(StoreUnavailable)
    expect(Bun.inspect(error)).not.toContain(s3.secretAccessKey)
    s3.intercept = () => new Response('<Error><Code>InternalError</Code></Error>', { status: 500 })
    expect(openS3(s3Config).get('received/x')).rejects.toBeInstanceOf(StoreUnavailable)
    s3.intercept = () => undefined
  })
})

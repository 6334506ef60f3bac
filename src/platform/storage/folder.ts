// Keeps files in a folder of this machine, which all processes share.
import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'

import { errorCode } from '../store-error.ts'
import { type Storage, asStorage, checkKey } from './storage.ts'

/** Objects in progress, beside the others, so that a rename completes them. */
const WRITING = 'writing'
/** Only the user of the server reads what people have sent. */
const [FOLDER_MODE, FILE_MODE] = [0o700, 0o600]

export function openFolder(folder: string): Storage {
  const writing = join(folder, WRITING)
  /** `received/ab/abcdef`: folders of a few thousand files each. */
  const pathOf = (key: string) => {
    checkKey(key)
    const [kind = '', name = ''] = key.split('/')
    return join(folder, kind, name.slice(0, 2), name)
  }
  return {
    place: folder,
    put: async (key, content) => {
      const path = pathOf(key)
      const temporary = join(writing, randomUUID())
      const file = await asStorage(async () => {
        await mkdir(writing, { recursive: true, mode: FOLDER_MODE })
        return await open(temporary, 'wx', FILE_MODE)
      })
      try {
        const chunks = content instanceof Uint8Array ? [content] : content
        try {
          for await (const chunk of chunks) await asStorage(() => writeWhole(file, chunk))
          await asStorage(() => file.sync())
        } finally {
          await file.close()
        }
        await asStorage(async () => {
          await mkdir(dirname(path), { recursive: true, mode: FOLDER_MODE })
          await rename(temporary, path)
          await syncFolder(dirname(path))
        })
      } catch (error) {
        await rm(temporary, { force: true })
        throw error
      }
    },
    get: (key) =>
      asStorage(async () => {
        const path = pathOf(key)
        const found = await ifPresent(stat(path))
        if (!found) return undefined
        return {
          bytes: found.size,
          stream: () => Readable.toWeb(createReadStream(path)),
        }
      }),
    delete: (key) =>
      asStorage(async () => {
        const path = pathOf(key)
        await rm(path, { force: true })
        await ifPresent(syncFolder(dirname(path)))
      }),
    sweep: (before) =>
      asStorage(async () => {
        for (const name of (await ifPresent(readdir(writing))) ?? []) {
          const path = join(writing, name)
          const found = await ifPresent(stat(path))
          if (found && found.mtime < before) await rm(path, { force: true })
        }
      }),
  }
}

async function writeWhole(file: FileHandle, chunk: Uint8Array): Promise<void> {
  for (let at = 0; at < chunk.byteLength;) at += (await file.write(chunk, at)).bytesWritten
}

/** A rename survives a power failure once its folder is written. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/** Undefined if there is no such file. */
async function ifPresent<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  }
}

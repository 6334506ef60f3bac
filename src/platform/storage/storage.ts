// The port of what keeps the content of files: a bucket, or a folder. PostgreSQL says what each file is.

import { StoreUnavailable, errorCode } from '../store-error.ts'

/** A folder and a name: `received/abc`, `ready/abc-large.webp`. Programs make them, never people. */
export const STORAGE_KEY = /^[a-z]+\/[A-Za-z0-9_-]+(?:\.[a-z0-9]+)?$/

/** The largest file that people may send. */
export const MAX_FILE_BYTES = 15 * 1024 * 1024

export interface StoredObject {
  readonly bytes: number
  /** Reads the content. The stream fails if the object is removed meanwhile. */
  stream(): ReadableStream<Uint8Array>
}

export interface SignedUpload {
  readonly bytes: number
  readonly type: string
  readonly at: Date
  readonly seconds: number
}

/** All methods throw StoreUnavailable when the storage does not serve them. */
export interface Storage {
  /** Names the storage in logs, without credentials. */
  readonly place: string
  /**
   * Stores the content as a whole or not at all, in place of an object with the same key. On return it survives a power failure.
   * An error of `content` is thrown as it is.
   */
  put(key: string, content: AsyncIterable<Uint8Array> | Uint8Array): Promise<void>
  /** The object with this key; undefined if the storage has no such object. */
  get(key: string): Promise<StoredObject | undefined>
  /** Removes the object if there is one. */
  delete(key: string): Promise<void>
  /**
   * The address at which a client stores an object of exactly these bytes and of this type, by one PUT or several, within a
   * time after `at`. Only storages that others reach have it.
   */
  readonly signUpload?: (key: string, upload: SignedUpload) => Promise<string>
  /** Removes what processes left that died while they wrote. */
  sweep(before: Date): Promise<void>
}

/** Runs `work` and throws StoreUnavailable for errors of the system or the service. Others come from who sends the content. */
export async function asStorage<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const code = errorCode(error)
    throw code === undefined || error instanceof StoreUnavailable
      ? error
      : new StoreUnavailable('files', { code, cause: error })
  }
}

/** Throws for a key that no program makes: such as one with `..`. */
export function checkKey(key: string): void {
  if (!STORAGE_KEY.test(key)) throw new Error(`not a key of the storage: ${JSON.stringify(key)}`)
}

/** The whole content of an object; undefined if it has not exactly so many bytes. It may be replaced while it is read. */
export async function bytesOf(object: StoredObject, length: number): Promise<Uint8Array | undefined> {
  const bytes = new Uint8Array(length)
  let at = 0
  for await (const chunk of object.stream()) {
    if (at + chunk.byteLength > length) return undefined
    bytes.set(chunk, at)
    at += chunk.byteLength
  }
  return at === length ? bytes : undefined
}

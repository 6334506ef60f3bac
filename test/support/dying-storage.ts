// A process that dies while it uses the storage of files.
import { expect } from 'bun:test'

import { ctxOf } from '../../src/ctx.ts'
import type { Deps } from '../../src/deps.ts'
import type { Storage } from '../../src/platform/storage/storage.ts'

class Killed extends Error {}

/** A context whose process dies at a call of the storage, before or after it was carried out. It does nothing afterwards. */
export const dyingCtx = (deps: Deps, method: 'put' | 'get' | 'delete', number: number, when: 'before' | 'after') => {
  let calls = 0
  let isDead = false
  const call = async (name: 'put' | 'get' | 'delete' | 'sweep', ...args: never[]) => {
    if (isDead) throw new Killed()
    const isTheOne = name === method && ++calls === number
    if (isTheOne) isDead = true
    if (isTheOne && when === 'before') throw new Killed()
    const result: unknown = await (deps.storage[name] as (...args: never[]) => Promise<unknown>)(...args)
    if (isTheOne) throw new Killed()
    return result
  }
  const storage = Object.fromEntries(
    (['put', 'get', 'delete', 'sweep'] as const).map((name) => [name, (...args: never[]) => call(name, ...args)]),
  )
  return ctxOf({ ...deps, storage: { place: 'dying', ...storage } as unknown as Storage })
}

/** A dead process says nothing, and what it was doing is not undone. */
export const expectKilled = async (work: Promise<unknown>) => {
  expect(await work.catch((error: unknown) => error)).toBeInstanceOf(Killed)
}

// Fixtures for a whole test file.
import { afterAll, beforeAll } from 'bun:test'

/**
 * Opens a fixture before the tests of a file and closes it after them. Returns a proxy that hooks and tests may use, but
 * not the top level of the file.
 */
export function useFixture<Fixture extends { close(): Promise<unknown> }>(
  open: () => Promise<Fixture>,
  timeoutMs?: number,
): Fixture {
  let opened: Fixture | undefined
  beforeAll(async () => {
    opened = await open()
  }, timeoutMs)
  afterAll(() => opened?.close())
  const fixture = (): Fixture => {
    if (!opened) throw new Error('The fixture is not open: use it in hooks and tests only.')
    return opened
  }
  // The fixture does not exist yet while the file is evaluated.
  return new Proxy({} as Fixture, {
    get: (_, name) => Reflect.get(fixture(), name) as unknown,
    set: (_, name, value) => Reflect.set(fixture(), name, value),
    has: (_, name) => Reflect.has(fixture(), name),
    ownKeys: () => Reflect.ownKeys(fixture()),
    getOwnPropertyDescriptor: (_, name) => {
      const property = Reflect.getOwnPropertyDescriptor(fixture(), name)
      return property && { ...property, configurable: true }
    },
  })
}

// How the examples of what programs of operators send are sent.
import { ctxOf } from '../../src/ctx.ts'
import { askForVerification } from '../../src/features/business/verification/verbs.ts'
import type { TestApp } from './app.ts'

export type Value = Record<string, unknown>

/** What the caller of an example has, which no document can know. */
export interface Own {
  key?: string
  /** The parameter of the path. */
  id?: string
  /** Own ids in place of fictional ones. */
  body?: Value
}

export const idOf = (answer: Value, member: string): string => (answer[member] as { id: string }).id

interface Sending {
  /** The key of an operator. */
  operator: string
  professionalId: string
  /** Sends the example of an operation. */
  sent: (operationId: string, own: Own) => Promise<Value>
}

/** How the example of each operation is sent. */
export function platformCalls(
  app: TestApp,
  { operator: key, professionalId, sent }: Sending,
): Record<string, (operationId: string) => Promise<void>> {
  const send = async (operationId: string, own: Omit<Own, 'key'> = {}) => await sent(operationId, { key, ...own })
  /** A pro of no other example. */
  const anotherPro = async () => {
    const email = `${crypto.randomUUID()}@test.example`
    return idOf(await send('postPlatformPro', { body: { email, externalId: email } }), 'pro')
  }
  /** Names stand once in the catalog. */
  const named = () => ({ name: `Garden ${crypto.randomUUID()}` })
  const categoryId = async () => idOf(await send('postPlatformCategory', { body: named() }), 'category')
  const newService = async () => ({ ...named(), categoryId: await categoryId() })
  const serviceId = async () => idOf(await send('postPlatformService', { body: await newService() }), 'service')
  const calls: Record<string, (id: string) => Promise<unknown>> = {
    postPlatformPro: send,
    postPlatformProStatus: async (id) => await send(id, { id: await anotherPro() }),
    putPlatformProMarks: async (id) => await send(id, { id: professionalId }),
    postPlatformProRefusal: async (id) => {
      const asking = await anotherPro()
      await askForVerification(ctxOf(app.deps, { professionalId: asking }), {})
      await send(id, { id: asking })
    },
    patchPlatformMarketplace: send,
    putPlatformArea: send,
    postPlatformDistrict: send,
    patchPlatformDistrict: async (id) => {
      const named = { name: `Park ${crypto.randomUUID()}` }
      await send(id, { id: idOf(await send('postPlatformDistrict', { body: named }), 'district'), body: named })
    },
    postPlatformCategory: async (id) => await send(id, { body: named() }),
    patchPlatformCategory: async (id) => await send(id, { id: await categoryId() }),
    postPlatformCategoryMerge: async (id) =>
      await send(id, { id: await categoryId(), body: { into: await categoryId() } }),
    postPlatformService: async (id) => await send(id, { body: await newService() }),
    patchPlatformService: async (id) => await send(id, { id: await serviceId() }),
    postPlatformServiceMerge: async (id) =>
      await send(id, { id: await serviceId(), body: { into: await serviceId() } }),
  }
  return Object.fromEntries(
    Object.entries(calls).map(([name, call]) => [name, async (id: string) => void (await call(id))]),
  )
}

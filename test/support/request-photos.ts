// Requests for quotes with photos, as people without an account send them on the page of a pro.
import { siteAccountOf } from '../../src/auth/accounts/verbs.ts'
import { openTestApp, randomAddress } from './app.ts'
import { VISIT_ADDRESS, VISIT_PHONE } from './booking-fixture.ts'
import { type Part, type Sending, sendFormWithFiles } from './form-with-files.ts'
import { quotingPro } from './quotes.ts'
import { somePicture, whileDecoding } from './uploads.ts'
import { Visitor } from './visitor.ts'

export const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')

/** The boxes of photos that a form has kept, by their ids. */
export const keptIn = (text: string): string[] =>
  [...text.matchAll(/<input type="checkbox" name="photos" value="([\da-f-]{36})" checked/g)].map(([, id]) => id ?? '')

/** What is wrong with the photos of a form. */
export const faultIn = (text: string): string => /id="photos-error">([^<]*)</.exec(text)?.[1] ?? ''

export const pictures = (count: number): Promise<Buffer[]> =>
  Promise.all(Array.from({ length: count }, () => somePicture()))

let customers = 0
/** What a person enters. */
export const fieldsOf = (changes: Record<string, string> = {}): Part[] =>
  Object.entries({
    service: 'other',
    description: 'The gutter leaks at the corner.',
    phone: VISIT_PHONE,
    ...VISIT_ADDRESS,
    name: 'Ada Homeowner',
    email: `request-photos-${customers++}@test.example`,
    idempotencyKey: crypto.randomUUID(),
    ...changes,
  })

export async function openRequestPhotos() {
  const app = await openTestApp()
  const { deps, sql } = app
  const pro = await quotingPro(app)
  const path = `/pros/${pro.slug}/quote`
  const site = await siteAccountOf(deps)()
  const anyone = new Visitor(app)
  /** Sends the form as a browser without scripts does. */
  const send = (photos: readonly (string | Uint8Array)[], fields = fieldsOf(), sending: Partial<Sending> = {}) =>
    sendFormWithFiles(app, anyone, [...fields, ...photos.map((photo): Part => ['photos', photo])], {
      path,
      csrf: '',
      address: randomAddress(),
      ...sending,
    })
  /** Sends it while a worker decodes. */
  const ask = (...sent: Parameters<typeof send>) => whileDecoding(app, send(...sent))
  const files = async () =>
    await sql<{ id: string; rfqId: string | null }[]>`
      select id, rfq_id as "rfqId" from files where account_id = ${site.id}`
  const requests = async () => await sql<{ id: string; photos: string[] }[]>`select id, photos from rfqs`
  /** The one request that was made since. */
  const madeSince = async (before: readonly { id: string }[]) => {
    const known = new Set(before.map(({ id }) => id))
    const [made, ...others] = (await requests()).filter(({ id }) => !known.has(id))
    if (!made || others.length > 0) throw new Error(`${others.length + (made ? 1 : 0)} requests were made.`)
    return made
  }
  return { app, deps, sql, pro, path, site, anyone, send, ask, files, requests, madeSince, close: () => app.close() }
}

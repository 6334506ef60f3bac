// The second factor of a user, set up through the pages.
import { stepAt, totpCode } from '../../src/auth/users/rules/totp.ts'
import { PASSWORD, type PageResponse, type Visitor } from './visitor.ts'

export const FACTOR_PATH = '/console/account/second-factor'

export interface TestFactor {
  secret: string
  /** The recovery codes. */
  codes: string[]
  /** The page that shows them. */
  shown: PageResponse
}

/** The code that the app shows at an instant. */
export const codeAt = (secret: string, now: Date): string => totpCode(secret, stepAt(now))

/** The hidden field of the page with the QR code, and the secret that it shows. */
export async function beginSetup(visitor: Visitor): Promise<{ setup: string; secret: string; page: PageResponse }> {
  const page = await visitor.post(FACTOR_PATH, { action: 'begin', password: PASSWORD })
  const setup = /name="setup" value="([^"]+)"/.exec(page.text)?.[1] ?? ''
  const secret = /secret=([A-Z2-7]+)/.exec(page.text)?.[1] ?? ''
  return { setup, secret, page }
}

/** The recovery codes on a page. */
export const codesOn = ({ text }: PageResponse): string[] => [
  ...new Set(text.match(/\b[a-km-np-z2-9]{5}-[a-km-np-z2-9]{5}\b/g)),
]

/** Sets up the factor of a visitor who is logged in. */
export async function setUpFactor(visitor: Visitor, now: Date): Promise<TestFactor> {
  const { setup, secret } = await beginSetup(visitor)
  const shown = await visitor.post(FACTOR_PATH, { action: 'prove', setup, code: codeAt(secret, now) })
  const codes = codesOn(shown)
  if (shown.status !== 200 || codes.length === 0) throw new Error(`Setting up answered ${shown.status}.`)
  return { secret, codes, shown }
}

/** Sends a code on the second page of a log-in. */
export const sendCode = (
  visitor: Visitor,
  page: PageResponse,
  fields: Record<string, string>,
): Promise<PageResponse> => {
  const hidden = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(page.text)?.[1] ?? ''
  return visitor.postRaw('/console/login/code', {
    csrf: hidden('csrf'),
    check: hidden('check'),
    next: hidden('next').replaceAll('&amp;', '&'),
    ...fields,
  })
}

// Flash messages: the result of a form, carried to the next page in an encrypted cookie.
import { cookie, readCookie } from '../../auth/cookies.ts'
import type { Deps } from '../../deps.ts'
import type { Session } from '../../http/session.ts'
import { type Html, html } from '../../platform/text/html.ts'

/** What the next page shows first. A secret in it is shown on that page only. */
export interface Flash {
  tone: 'good' | 'bad'
  text: string
  secret?: { label: string; value: string; note?: string; link?: { label: string; url: string } }
}

const FLASH_SECONDS = 120

/** The cookie is bound to one session: another session cannot decrypt it. */
const purpose = ({ token }: Pick<Session, 'token'>) => `flash of ${token}`

/** The `Set-Cookie` value that carries a flash message. */
export function flashCookie(
  { config, encryption, clock }: Deps,
  session: Pick<Session, 'token'>,
  flash: Flash,
): string {
  const until = new Date(clock.now().getTime() + FLASH_SECONDS * 1000)
  return cookie(config, 'hearth-flash', encryption.encrypt(purpose(session), flash, until), FLASH_SECONDS)
}

export function readFlash(
  { config, encryption, clock }: Deps,
  request: Request,
  session: Pick<Session, 'token'>,
): Flash | undefined {
  const encrypted = readCookie(config, request, 'hearth-flash')
  if (encrypted === undefined) return undefined
  return encryption.decrypt(purpose(session), encrypted, clock.now()) as Flash | undefined
}

export const flashBox = ({ tone, text, secret }: Flash): Html =>
  html`<div class="notice ${tone}" role="${tone === 'bad' ? 'alert' : 'status'}">
    <p>${text}</p>
    ${
      secret &&
      html`<p class="secret">
          <label for="secret">${secret.label}</label>
          <input id="secret" readonly value="${secret.value}" spellcheck="false" />
          <button type="button" class="quiet small" data-copy="secret" hidden>Copy</button>
        </p>
        ${secret.link && html`<p><a class="button" href="${secret.link.url}">${secret.link.label}</a></p>`}
        <p>${secret.note ?? 'You will not see it again. Keep it as safe as a password.'}</p>`
    }
  </div>`

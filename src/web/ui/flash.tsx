/** @jsxImportSource preact */
// Flash messages: the result of a form, carried to the next page in an encrypted cookie.
import { Button, LinkButton } from './buttons.tsx'
import { cookie, readCookie } from '../../auth/cookies.ts'
import type { Deps } from '../../deps.ts'
import type { Session } from '../../http/session.ts'
import type { VNode } from 'preact'

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

export const FlashBox = ({ tone, text, secret }: Flash): VNode => (
  <div class={`notice ${tone}`} role={tone === 'bad' ? 'alert' : 'status'}>
    <p>{text}</p>
    {secret && (
      <>
        <p class="secret">
          <label for="secret">{secret.label}</label>{' '}
          <input id="secret" readonly value={secret.value} spellcheck={false} />{' '}
          <Button look="quiet" isSmall type="button" data-copy="secret" hidden>
            Copy
          </Button>
        </p>
        {secret.link && (
          <p>
            <LinkButton href={secret.link.url}>{secret.link.label}</LinkButton>
          </p>
        )}
        <p>{secret.note ?? 'You will not see it again. Keep it as safe as a password.'}</p>
      </>
    )}
  </div>
)

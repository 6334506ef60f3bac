// Hearth's cookies: for its own pages only, unreadable for scripts and other sites.
import type { Config } from '../config.ts'

/** The names of all cookies. */
export type CookieName =
  | 'hearth-session'
  | 'hearth-owner'
  | 'hearth-login'
  | 'hearth-device'
  | 'hearth-flash'
  | 'hearth-customer'
  | 'hearth-sign-in'
  | 'hearth-typed'
  | 'hearth-held'

type CookieConfig = Pick<Config, 'environment' | 'baseUrl'>

/** With HTTPS, and always in production: browsers then accept and send the cookie over HTTPS only. */
const isSecure = ({ environment, baseUrl }: CookieConfig): boolean =>
  environment === 'production' || baseUrl.startsWith('https:')

/** With the prefix, browsers reject a cookie set by another host or an unencrypted page (RFC 6265bis §4.1.3). */
const fullName = (config: CookieConfig, name: CookieName): string => (isSecure(config) ? `__Host-${name}` : name)

export const readCookie = (config: CookieConfig, { headers }: Request, name: CookieName): string | undefined =>
  new Bun.CookieMap(headers.get('cookie') ?? '').get(fullName(config, name)) ?? undefined

/** The value of a `Set-Cookie` header. Without `maxAgeSeconds` the cookie lasts until the browser closes. */
export const cookie = (config: CookieConfig, name: CookieName, value: string, maxAgeSeconds?: number): string =>
  new Bun.Cookie(fullName(config, name), value, {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: isSecure(config),
    ...(maxAgeSeconds === undefined ? {} : { maxAge: maxAgeSeconds }),
  }).serialize()

/** The value of a `Set-Cookie` header that deletes the cookie. */
export const noCookie = (config: CookieConfig, name: CookieName): string => cookie(config, name, '', 0)

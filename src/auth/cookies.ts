// Our cookies: for our own pages alone, out of reach of scripts and of other sites.
import type { Config } from '../config.ts'

/** Every name there is. */
export type CookieName = 'hearth-session' | 'hearth-login' | 'hearth-device' | 'hearth-flash'

type CookieConfig = Pick<Config, 'environment' | 'baseUrl'>

/** With HTTPS, or where it must be: a browser then takes and sends the cookie over HTTPS only. */
const isSecure = ({ environment, baseUrl }: CookieConfig): boolean =>
  environment === 'production' || baseUrl.startsWith('https:')

/** The prefix has browsers refuse a cookie that another host or an unencrypted page set (RFC 6265bis §4.1.3). */
const fullName = (config: CookieConfig, name: CookieName): string => (isSecure(config) ? `__Host-${name}` : name)

export const readCookie = (config: CookieConfig, { headers }: Request, name: CookieName): string | undefined =>
  new Bun.CookieMap(headers.get('cookie') ?? '').get(fullName(config, name)) ?? undefined

/** The value of a `Set-Cookie` header. Without `maxAgeSeconds` the cookie lasts as long as the browser runs. */
export const cookie = (config: CookieConfig, name: CookieName, value: string, maxAgeSeconds?: number): string =>
  new Bun.Cookie(fullName(config, name), value, {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: isSecure(config),
    ...(maxAgeSeconds === undefined ? {} : { maxAge: maxAgeSeconds }),
  }).serialize()

/** The value of a `Set-Cookie` header that has the browser forget the cookie. */
export const noCookie = (config: CookieConfig, name: CookieName): string => cookie(config, name, '', 0)

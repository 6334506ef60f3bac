// Parses environment variables. config.ts decides which there are.

export type Environment = Record<string, string | undefined>

/** The default and the meaning are Markdown. A default in backquotes is a value, and compared with the configuration. */
export type Variable = Readonly<Record<'name' | 'default' | 'meaning', string>>

/** A variable has a value that cannot be used; the message names the variable. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/** At most nine digits. */
export function wholeNumber(env: Environment, name: string, fallback: number, min: number, max: number): number {
  const text = env[name]
  if (!text) return fallback
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  if (!(value >= min && value <= max))
    throw new ConfigError(`${name} must be a whole number from ${min} to ${max}, not "${text}".`)
  return value
}

/** The same; undefined if the variable is not set. */
export const optionalNumber = (env: Environment, name: string, min: number, max: number): number | undefined =>
  env[name] ? wholeNumber(env, name, min, min, max) : undefined

/** `HH:MM`. */
export function timeOfDay(env: Environment, name: string, fallback: string): string {
  const text = env[name] || fallback
  if (/^([01]\d|2[0-3]):[0-5]\d$/.test(text)) return text
  throw new ConfigError(`${name} must be a time of day such as ${fallback}, not "${text}".`)
}

/** A number from 0 to 1. */
export function ratio(env: Environment, name: string, fallback: number): number {
  const text = env[name]
  if (!text) return fallback
  const value = Number(text)
  if (!(value >= 0 && value <= 1)) throw new ConfigError(`${name} must be a number from 0 to 1, not "${text}".`)
  return value
}

export function oneOf<T extends string>(env: Environment, name: string, values: readonly T[], fallback: T): T {
  const text = env[name]
  if (!text) return fallback
  const value = values.find((candidate) => candidate === text)
  if (!value) throw new ConfigError(`${name} must be one of ${values.join(', ')}, not "${text}".`)
  return value
}

export function flag(env: Environment, name: string, fallback = false): boolean {
  const text = env[name]?.toLowerCase()
  if (!text) return fallback
  if (text === 'false' || text === '0') return false
  if (text === 'true' || text === '1') return true
  throw new ConfigError(`${name} must be true or false, not "${env[name]}".`)
}

/** Without a trailing slash. Throws if the variable is not set and there is no fallback. */
export function url(env: Environment, name: string, protocols: string[], fallback?: string): string {
  const value = optionalUrl(env, name, protocols) ?? fallback
  if (!value)
    throw new ConfigError(
      `${name} is not set. \`npm start\` sets it to a private one; see docs/operators/configuration.md.`,
    )
  return value.replace(/\/$/, '')
}

/** The value may contain a password: errors name the variable only. */
export function optionalUrl(env: Environment, name: string, protocols: string[]): string | undefined {
  const text = env[name]
  if (!text) return undefined
  const parsed = URL.canParse(text) ? new URL(text) : undefined
  if (!parsed || !protocols.includes(parsed.protocol))
    throw new ConfigError(`${name} must be a URL that begins with ${protocols.map((p) => `${p}//`).join(' or ')}.`)
  return text
}

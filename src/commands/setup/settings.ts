// What `hearth setup` needs to know: asked at the terminal, or given as options; and the settings that it saves.
import { randomBytes } from 'node:crypto'
import { createInterface } from 'node:readline/promises'

import { readIfExists } from '../../local/processes.ts'
import { normalEmail } from '../../platform/schema/email.ts'
import { isEmail } from '../../platform/schema/types.ts'
import { COUNTRIES, type Country } from '../../platform/text/region.ts'
import { UsageError } from '../failure.ts'
import type { Cluster } from './database.ts'
import { HOME, USER } from './machine.ts'
import type { PlannedFile } from './saved-files.ts'
import { ENVIRONMENT_FILE } from './units.ts'

export interface SetupOptions {
  name?: string
  domain?: string
  country?: string
  operator?: string
  print?: true
}

export interface Answers {
  /** Undefined on a machine that was set up before: the name stays. */
  readonly name: string | undefined
  /** Undefined when nothing was said: the United States, or what was chosen before. */
  readonly country: Country | undefined
  readonly domain: string
  /** The login of the first operator; undefined when nothing was said. */
  readonly operator: string | undefined
}

/** The settings that an earlier run wrote, by name. */
export const savedSettings = (): Map<string, string> =>
  new Map(
    Array.from(readIfExists(ENVIRONMENT_FILE).matchAll(/^([A-Z_]+)="?(.*?)"?$/gm), ([, name = '', value = '']) => [
      name,
      value,
    ]),
  )

/** The answers from the options, from an earlier run, or from the terminal. Throws a UsageError for what is missing or wrong. */
export async function answersOf({ name, domain, country, operator }: SetupOptions): Promise<Answers> {
  const before = /^https:\/\/([^/:]+)$/.exec(savedSettings().get('BASE_URL') ?? '')?.[1]
  const isFirst = before === undefined
  const isAsked = isFirst && process.stdin.isTTY
  return {
    name: name ?? (isFirst ? await ask('name', 'What is the marketplace called?', 'Maple & Beam') : undefined),
    country: countryOf(country ?? (isAsked ? await ask('country', 'In which country?', 'US') : undefined)),
    domain: domainOf(
      domain ?? before ?? (await ask('domain', 'Under which domain do people reach it?', 'maple.example')),
    ),
    operator: operatorOf(operator ?? (isAsked ? await question(OPERATOR) : '')),
  }
}

function countryOf(text: string | undefined): Country | undefined {
  const code = text?.trim().toUpperCase()
  const country = COUNTRIES.find((one) => one === code)
  if (code !== undefined && country === undefined)
    throw new UsageError(`--country must be ${COUNTRIES.join(' or ')}, not "${text}".`)
  return country
}

function domainOf(text: string): string {
  const domain = text.trim().toLowerCase()
  if (/^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)+$/.test(domain))
    return domain
  throw new UsageError(`--domain must be a domain such as maple.example, without https:// and path, not "${text}".`)
}

const OPERATOR = 'Who runs it, as an e-mail address? (such as you@maple.example; may stay empty) '

function operatorOf(text: string): string | undefined {
  if (text === '') return undefined
  if (isEmail(text)) return normalEmail(text)
  throw new UsageError(`--operator must be an e-mail address such as you@maple.example, not "${text}".`)
}

async function question(text: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const answer = (await terminal.question(text)).trim()
  terminal.close()
  return answer
}

async function ask(option: string, text: string, example: string): Promise<string> {
  if (!process.stdin.isTTY) throw new UsageError(`--${option} is missing, such as --${option} "${example}".`)
  const answer = await question(`${text} (such as ${example}) `)
  if (answer === '') throw new UsageError(`--${option} is missing, such as --${option} "${example}".`)
  return answer
}

/** The environment file. Secrets of an earlier run stay: they encrypt what is stored. */
export function environmentFile({ domain }: Answers, { port }: Cluster, poolSize: number): PlannedFile {
  const secret = savedSettings().get('HEARTH_SECRET') || randomBytes(48).toString('base64')
  const text = `\
# The settings of Hearth; docs/operators/configuration.md lists all. After a change:
#   systemctl restart 'hearth-server@*' hearth-workers
HEARTH_ENV=production
BASE_URL=https://${domain}
# Encrypts tokens and stored secrets: keep a copy apart from this machine.
HEARTH_SECRET=${secret}
# By PostgreSQL's socket, where the system user ${USER} is the role ${USER}.
DATABASE_URL=postgres://${USER}@localhost:${port}/${USER}?host=/var/run/postgresql
# With these pools two servers and the workers take at most four fifths of max_connections.
DATABASE_CONNECTIONS=${poolSize}
REDIS_URL=redis://127.0.0.1:6379
# Caddy: without it all visitors count as one.
TRUSTED_PROXIES=127.0.0.1
FILES_FOLDER=${HOME}/files
`
  return { path: ENVIRONMENT_FILE, mode: 0o600, text, isSecret: true }
}

/** The file as it may be shown: generated secrets are not. */
export const shown = ({ text }: PlannedFile): string => text.replace(/^(HEARTH_SECRET)=.*$/m, '$1=(generated)')

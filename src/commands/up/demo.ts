// The demo accounts of `npm start`: a pro, a key of each kind and console users, saved in `.hearth/demo.json`.
import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { readConfig } from '../../config.ts'
import { type Ctx, ctxOf } from '../../ctx.ts'
import { type Deps, openDeps } from '../../deps.ts'
import { ensureAccount } from '../../auth/accounts/verbs.ts'
import { hashKey } from '../../auth/keys/format.ts'
import { PRESETS, type Scope } from '../../auth/scopes.ts'
import { createKey } from '../../auth/keys/verbs/keys.ts'
import { createProperty, listProperties } from '../../features/customers/properties/verbs.ts'
import { readIfExists } from '../../local/processes.ts'
import { createDemoBusiness } from './demo-business.ts'
import { createDemoPictures } from './demo-pictures.ts'
import { type DemoConsole, prepareLogins } from './demo-logins.ts'
import type { Environment } from './settings.ts'
import * as statements from './demo.sql.ts'

/** The time limit of a statement. It is long, because only the person who starts Hearth waits, on a machine of any speed. */
const DATABASE_LIMIT_MS = 30_000
const DEVELOPER = 'developer@demo.example'
const CLIENT = 'property-manager@demo.example'
const WIDGET_ORIGIN = 'http://localhost:8080'

const KEY_NAMES = ['server', 'agentPro', 'agentCustomer', 'widget', 'pro', 'webhooks', 'client'] as const
type KeyName = (typeof KEY_NAMES)[number]

export interface Demo {
  baseUrl: string
  console: DemoConsole
  keys: Record<KeyName, string>
  pro: { id: string; slug: string }
  widgetOrigin: string
}

interface DemoOptions {
  env: Environment
  /** The folder of `demo.json`. */
  folder: string
  baseUrl: string
}

/**
 * The demo accounts, keys and logins. They are created once and saved in a file (mode 600), because a key is shown only
 * when it is created. When the database lacks the file's keys, such as after a reset, everything is created again.
 */
export async function prepareDemo({ env, folder, baseUrl }: DemoOptions): Promise<Demo> {
  const deps = openDeps(readConfig({ ...env, LOG_LEVEL: 'error' }), { databaseLimitMs: DATABASE_LIMIT_MS })
  try {
    const saved = readDemo(folder)
    const accounts = saved && (await hasKeys(deps, saved)) ? saved : await createDemo(ctxOf(deps))
    const logins = { baseUrl, pro: accounts.pro.slug, developer: DEVELOPER, saved: saved?.console }
    const demo = { ...accounts, baseUrl, console: await prepareLogins(ctxOf(deps), logins) }
    writeDemo(folder, demo)
    return demo
  } finally {
    await deps.close()
  }
}

async function createDemo(ctx: Ctx): Promise<Omit<Demo, 'baseUrl' | 'console'>> {
  const pro = await chooseDemoPro(ctx)
  const { id: client } = await ensureAccount(ctx, { email: CLIENT, kind: 'client' })
  const agent: Scope[] = [...PRESETS['agent-tools'], 'packages:read', 'packages:book']
  const wantedKeys: [KeyName, string, readonly Scope[]][] = [
    ['server', DEVELOPER, PRESETS['full-server']],
    ['agentPro', pro.email, PRESETS['agent-tools']],
    ['agentCustomer', DEVELOPER, agent],
    ['widget', DEVELOPER, PRESETS.widget],
    ['pro', pro.email, PRESETS['pro-dashboard']],
    ['webhooks', DEVELOPER, PRESETS['webhook-receiver']],
    ['client', CLIENT, agent],
  ]
  const keys = { server: '', agentPro: '', agentCustomer: '', widget: '', pro: '', webhooks: '', client: '' }
  for (const [name, ownerEmail, scopes] of wantedKeys)
    keys[name] = (
      await createKey(ctx, {
        ownerEmail,
        scopes,
        name: `demo ${name}`,
        ...(name === 'widget' ? { origin: WIDGET_ORIGIN } : {}),
      })
    ).secret
  const { id: developer } = await ensureAccount(ctx, { email: DEVELOPER })
  await createDemoBusiness(ctx, pro.id, developer)
  await createDemoProperties(ctx, client)
  await createDemoPictures(ctx, pro)
  return { keys, pro: { id: pro.id, slug: pro.slug }, widgetOrigin: WIDGET_ORIGIN }
}

/** Three homes that the property manager looks after, unless there are some. */
async function createDemoProperties(ctx: Ctx, accountId: string): Promise<void> {
  const { meta } = await listProperties(ctx.as({ accountId }), { limit: 1 })
  if (meta.total > 0) return
  const homes = [
    {
      name: 'Maple Street, unit 4B',
      street: '12 Maple Street, Unit 4B',
      bedrooms: 2,
      bathrooms: 1,
      areaSquareFeet: 850,
    },
    { name: 'Oak Avenue house', street: '480 Oak Avenue', bedrooms: 4, bathrooms: 2.5, areaSquareFeet: 2200 },
    { name: 'Harbor Road studio', street: '7 Harbor Road', bedrooms: 0, bathrooms: 1, areaSquareFeet: 420 },
  ]
  for (const { street, ...home } of homes)
    await createProperty(ctx.as({ accountId }), {
      ...home,
      address: { street, city: 'New York', state: 'NY', zipCode: '10001' },
      accessNotes: 'The key is in the lock box at the door.',
    })
}

/** A verified plumber in a large city who takes instant bookings, without a deposit, every day of the week. */
async function chooseDemoPro({ write }: Deps): Promise<{ id: string; slug: string; email: string }> {
  const pro = await statements.chooseDemoPro(write)
  if (!pro) throw new Error('The database has no pros. Seed it with at least one.')
  // A small seed may lack such a pro, so the chosen one is changed. The plan includes agent tasks.
  await statements.openDemoPro(write, { id: pro.id })
  return pro
}

async function hasKeys({ write }: Deps, demo: SavedDemo): Promise<boolean> {
  const hashes = KEY_NAMES.map((name) => hashKey(demo.keys[name]).toString('hex'))
  const row = await statements.countDemoKeys(write, { hashes: hashes.join(',') })
  return row?.count === KEY_NAMES.length
}

/** The path of the file with the demo keys. */
export const demoFileIn = (folder: string): string => join(folder, 'demo.json')

/** A file of an earlier version lacks the console. */
type SavedDemo = Omit<Demo, 'console'> & { console?: DemoConsole }

/** The addresses and keys saved by an earlier start. */
export function readDemo(folder: string): SavedDemo | undefined {
  const text = readIfExists(demoFileIn(folder))
  try {
    const value: unknown = JSON.parse(text)
    return isDemo(value) ? value : undefined
  } catch {
    // The file is missing or was edited: it is written again.
    return undefined
  }
}

function isDemo(value: unknown): value is SavedDemo {
  const isObject = (it: unknown): it is object => typeof it === 'object' && it !== null
  if (!isObject(value) || !('keys' in value) || !isObject(value.keys) || !('pro' in value)) return false
  const { keys } = value
  return KEY_NAMES.every((name) => typeof Reflect.get(keys, name) === 'string')
}

/** The addresses of a marketplace without demo data. */
export const writeAddresses = ({ folder, baseUrl }: Omit<DemoOptions, 'env'>): void =>
  writeDemo(folder, { baseUrl, console: { url: `${baseUrl}/console` } })

function writeDemo(folder: string, demo: Demo | { baseUrl: string; console: { url: string } }) {
  writeFileSync(`${demoFileIn(folder)}.new`, `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600 })
  renameSync(`${demoFileIn(folder)}.new`, demoFileIn(folder))
}

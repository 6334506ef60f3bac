// The demo accounts of `npm start`: a pro to act as, a key of each kind and people who log in, kept in `.hearth/demo.json`.
import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { readConfig } from '../../config.ts'
import { type Deps, openDeps } from '../../deps.ts'
import { ensureAccount } from '../../auth/accounts/verbs.ts'
import { hashKey } from '../../auth/keys/format.ts'
import { PRESETS, type Scope } from '../../auth/scopes.ts'
import { createKey } from '../../auth/keys/verbs/keys.ts'
import { readIfExists } from '../../local/processes.ts'
import { createDemoBusiness } from './demo-business.ts'
import { type DemoConsole, prepareLogins } from './demo-logins.ts'
import type { Environment } from './settings.ts'

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
  /** Where `demo.json` is kept. */
  folder: string
  baseUrl: string
}

/**
 * The demo accounts, keys and logins. They are made once: a key is shown when it is made and never again, so the file (mode 600)
 * keeps them. A file whose keys this database does not know, as after a reset, is made anew.
 */
export async function prepareDemo({ env, folder, baseUrl }: DemoOptions): Promise<Demo> {
  const deps = openDeps(readConfig({ ...env, LOG_LEVEL: 'error' }))
  try {
    const kept = readDemo(folder)
    const made = kept && (await hasKeys(deps, kept)) ? kept : await createDemo(deps)
    const logins = { baseUrl, pro: made.pro.slug, developer: DEVELOPER, saved: kept?.console }
    const demo = { ...made, baseUrl, console: await prepareLogins(deps, logins) }
    writeDemo(folder, demo)
    return demo
  } finally {
    await deps.close()
  }
}

async function createDemo(deps: Deps): Promise<Omit<Demo, 'baseUrl' | 'console'>> {
  const pro = await chooseDemoPro(deps)
  await ensureAccount(deps, deps.write, CLIENT, 'client')
  const agent: Scope[] = [...PRESETS['agent-tools'], 'packages:read', 'packages:book']
  const made: [KeyName, string, readonly Scope[]][] = [
    ['server', DEVELOPER, PRESETS['full-server']],
    ['agentPro', pro.email, PRESETS['agent-tools']],
    ['agentCustomer', DEVELOPER, agent],
    ['widget', DEVELOPER, PRESETS.widget],
    ['pro', pro.email, PRESETS['pro-dashboard']],
    ['webhooks', DEVELOPER, PRESETS['webhook-receiver']],
    ['client', CLIENT, agent],
  ]
  const keys = { server: '', agentPro: '', agentCustomer: '', widget: '', pro: '', webhooks: '', client: '' }
  for (const [name, ownerEmail, scopes] of made)
    keys[name] = (
      await createKey(deps, {
        ownerEmail,
        scopes,
        name: `demo ${name}`,
        ...(name === 'widget' ? { origin: WIDGET_ORIGIN } : {}),
      })
    ).secret
  const { id: developer } = await ensureAccount(deps, deps.write, DEVELOPER)
  await createDemoBusiness(deps, pro.id, developer)
  return { keys, pro: { id: pro.id, slug: pro.slug }, widgetOrigin: WIDGET_ORIGIN }
}

/** A verified plumber in a large city who takes instant bookings, without a deposit, every day of the week. */
async function chooseDemoPro({ write }: Deps): Promise<{ id: string; slug: string; email: string }> {
  const [pro] = await write.run<{ id: string; slug: string; email: string }>(
    'chooseDemoPro',
    (sql) => sql`
      select p.id, p.slug, a.email
      from professionals p join accounts a on a.id = p.account_id join cities c on c.id = p.city_id
      where p.active
      order by
        p.instant_booking_enabled and not p.requires_approval and not p.deposit_required desc,
        exists (
          select from professional_services ps join services s on s.id = ps.service_id
          join categories g on g.id = s.category_id
          where ps.professional_id = p.id and ps.instant_book_enabled and g.slug = 'plumbing') desc,
        not exists (select from jsonb_each(p.business_hours) day where day.value = '[]'::jsonb) desc,
        p.verified desc, p.lead_time_hours > 8, c.population desc, p.id
      limit 1`,
  )
  if (!pro) throw new Error('The database holds no pros: it was seeded with none.')
  // A small seed may hold nobody like that; the one it has then becomes so. The plan brings agent tasks.
  await write.run(
    'openDemoPro',
    (sql) => sql`
      update professionals set plan = 'business', instant_booking_enabled = true, requires_approval = false,
        deposit_required = false, deposit_percentage = null,
        business_hours = (
          select jsonb_object_agg(day, case when business_hours -> day = '[]' then '[{"start":"09:00","end":"17:00"}]'
            else business_hours -> day end)
          from unnest(array['monday','tuesday','wednesday','thursday','friday','saturday','sunday']) as day)
      where id = ${pro.id} and (plan <> 'business' or not instant_booking_enabled or requires_approval or deposit_required
        or exists (select from jsonb_each(business_hours) day where day.value = '[]'::jsonb))`,
  )
  return pro
}

async function hasKeys({ write }: Deps, demo: KeptDemo): Promise<boolean> {
  const hashes = KEY_NAMES.map((name) => hashKey(demo.keys[name]).toString('hex'))
  const [row] = await write.run<{ known: number }>(
    'countDemoKeys',
    (sql) => sql`
      select count(*)::int as known from api_keys
      where encode(hash, 'hex') = any(string_to_array(${hashes.join(',')}, ',')) and revoked_at is null`,
  )
  return row?.known === KEY_NAMES.length
}

/** Where the demo keys are kept. */
export const demoFileIn = (folder: string): string => join(folder, 'demo.json')

/** A file of an earlier version lacks the console. */
type KeptDemo = Omit<Demo, 'console'> & { console?: DemoConsole }

/** What an earlier start left there: the addresses and keys. */
export function readDemo(folder: string): KeptDemo | undefined {
  const text = readIfExists(demoFileIn(folder))
  try {
    const value: unknown = JSON.parse(text)
    return isDemo(value) ? value : undefined
  } catch {
    // No file, or one that somebody edited: it is written again.
    return undefined
  }
}

function isDemo(value: unknown): value is KeptDemo {
  const isObject = (it: unknown): it is object => typeof it === 'object' && it !== null
  if (!isObject(value) || !('keys' in value) || !isObject(value.keys) || !('pro' in value)) return false
  const { keys } = value
  return KEY_NAMES.every((name) => typeof Reflect.get(keys, name) === 'string')
}

function writeDemo(folder: string, demo: Demo) {
  writeFileSync(`${demoFileIn(folder)}.new`, `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600 })
  renameSync(`${demoFileIn(folder)}.new`, demoFileIn(folder))
}

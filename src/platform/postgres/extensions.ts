// The extensions that the schema needs. Only a superuser may create PostGIS, and the role of Hearth need not be one.
import type { Sql } from './database.ts'
import { errorCode } from '../store-error.ts'

export const EXTENSIONS = ['postgis', 'btree_gist'] as const

/** Extensions that are missing, and what an administrator of the database does about it. */
export class ExtensionsMissing extends Error {
  override readonly name = 'ExtensionsMissing'
}

const INSUFFICIENT_PRIVILEGE = '42501'
/** PostgreSQL has no file of the extension: up to version 14 the first, since then the second. */
const NOT_INSTALLED = new Set(['58P01', '0A000'])

/** Creates the missing extensions. Throws ExtensionsMissing, with a remedy, for those that this role cannot create. */
export async function createExtensions(sql: Sql): Promise<void> {
  const rows = await sql<{ name: string }[]>`
    select name from unnest(${[...EXTENSIONS]}::text[]) name where name not in (select extname from pg_extension)`
  const refused: string[] = []
  for (const { name } of rows)
    try {
      await sql`create extension if not exists ${sql(name)}`
    } catch (error) {
      const code = errorCode(error) ?? ''
      if (NOT_INSTALLED.has(code))
        throw new ExtensionsMissing(
          `PostgreSQL has no files of the extension ${name}. Install them, on Debian with \`apt-get install postgresql-${await majorVersion(sql)}-postgis-3\`, and migrate again.`,
        )
      if (code !== INSUFFICIENT_PRIVILEGE) throw error
      refused.push(name)
    }
  if (refused.length === 0) return
  const [place] = await sql<{ database: string; role: string }[]>`
    select current_database() as database, current_user as role`
  const commands = refused.map((name) => `create extension ${name};`).join(' ')
  throw new ExtensionsMissing(
    `The role ${place?.role} may not create the extensions ${refused.join(' and ')}. Let a superuser do it once, and migrate again:  psql -d ${place?.database} -c '${commands}'`,
  )
}

async function majorVersion(sql: Sql): Promise<number> {
  const [row] = await sql<{ version: number }[]>`select current_setting('server_version_num')::int / 10000 as version`
  return row?.version ?? 0
}

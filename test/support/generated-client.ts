// A TypeScript client made from the OpenAPI document, as a user of the API makes theirs: openapi-typescript makes the
// types, openapi-fetch sends the requests.
import { plugin } from 'bun'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dir, '../..')

export interface ClientProject {
  readonly dir: string
  /** What the compiler has against it; empty when it has nothing. */
  compile(): Promise<string>
  remove(): void
}

/**
 * A project beside ours with the types of `document` as `api.ts` and a copy of each of `sources`. In `.hearth`, where it
 * finds our packages and nothing finds it.
 */
export async function openClientProject(document: object, sources: readonly string[]): Promise<ClientProject> {
  const parent = join(ROOT, '.hearth')
  mkdirSync(parent, { recursive: true })
  const dir = mkdtempSync(join(parent, 'client-'))
  writeFileSync(join(dir, 'api.ts'), await typesOf(document))
  for (const source of sources) copyFileSync(join(ROOT, source), join(dir, source.split('/').at(-1) ?? ''))
  writeFileSync(
    join(dir, 'tsconfig.json'),
    JSON.stringify({ extends: '../../tsconfig.json', include: ['.'], exclude: [] }),
  )
  return {
    dir,
    compile: async () => {
      const tsc = join(ROOT, 'node_modules/.bin/tsc')
      const child = Bun.spawn([process.execPath, '--bun', tsc, '--noEmit', '-p', dir], { cwd: ROOT, stderr: 'pipe' })
      const [said, complained] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
      return said + complained
    },
    remove: () => rmSync(dir, { recursive: true, force: true }),
  }
}

/** openapi-typescript 7 builds its text with the compiler's API, which TypeScript 7 does not have: it is given TypeScript 5. */
async function typesOf(document: object): Promise<string> {
  plugin({
    name: 'typescript-5',
    setup: (build) => {
      build.module('typescript', async () => ({ exports: await import('typescript-5'), loader: 'object' }))
    },
  })
  const { default: openapiTS, astToString } = await import('openapi-typescript')
  // What has a default may be left out of a body.
  const options = { defaultNonNullable: false }
  return astToString(await openapiTS(structuredClone(document) as Parameters<typeof openapiTS>[0], options))
}

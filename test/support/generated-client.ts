// A TypeScript client generated from the OpenAPI document as a user of the API does: openapi-typescript generates the
// types, openapi-fetch sends the requests.
import { plugin } from 'bun'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dir, '../..')

export interface ClientProject {
  readonly dir: string
  /** The errors of the compiler; empty when there are none. */
  compile(): Promise<string>
  remove(): void
}

/**
 * Creates a project with the types of `document` as `api.ts` and a copy of each of `sources`. It stands in `.hearth`,
 * where it resolves our packages and no tool of ours reads it.
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
      const [output, errors] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
      return output + errors
    },
    remove: () => rmSync(dir, { recursive: true, force: true }),
  }
}

/** openapi-typescript 7 needs the compiler's API, which TypeScript 7 lacks, so it gets TypeScript 5. */
async function typesOf(document: object): Promise<string> {
  plugin({
    name: 'typescript-5',
    setup: (build) => {
      build.module('typescript', async () => ({ exports: await import('typescript-5'), loader: 'object' }))
    },
  })
  const { default: openapiTS, astToString } = await import('openapi-typescript')
  return astToString(await openapiTS(structuredClone(document) as Parameters<typeof openapiTS>[0]))
}

// Checks our manifests against Kubernetes' schemas: values with compiled validators, field names with types.
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { ROOT } from './imports.ts'

export const MANIFESTS = join(ROOT, 'ops/kubernetes')

/** A document of ops/kubernetes, with the fields of all kinds. */
export interface Manifest {
  apiVersion: string
  kind: string
  metadata: { name: string; labels?: Record<string, string> }
  [field: string]: unknown
}

interface Model {
  new (data: unknown): { validate(): void }
}

/** Every document of the folder and its folders except `kustomization.yaml`, by file. */
export function readManifests(): { file: string; manifest: Manifest }[] {
  return readdirSync(MANIFESTS, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.yaml') && !file.endsWith('kustomization.yaml'))
    .toSorted()
    .flatMap((file) => {
      const parsed = Bun.YAML.parse(readFileSync(join(MANIFESTS, file), 'utf8'))
      return [parsed].flat().map((manifest) => ({ file, manifest: manifest as Manifest }))
    })
}

/** The package with the schemas of an API. */
const modelsOf = (apiVersion: string) =>
  apiVersion.startsWith('postgresql.cnpg.io/') ? '@kubernetes-models/cloudnative-pg' : 'kubernetes-models'

/** The kind of a plugin, whose package of models does not exist: its configuration is a type of the operator's. */
const OBJECT_STORE = 'barmancloud.cnpg.io/v1'
const STORE_CONFIGURATION =
  '@kubernetes-models/cloudnative-pg/github.com/cloudnative-pg/barman-cloud/pkg/api/BarmanObjectStoreConfiguration'

async function modelFor({ apiVersion, kind, ...rest }: Manifest): Promise<{ Kind: Model | undefined; data: unknown }> {
  if (apiVersion === OBJECT_STORE) {
    const models = (await import(STORE_CONFIGURATION)) as Record<string, Model | undefined>
    return {
      Kind: models['BarmanObjectStoreConfiguration'],
      data: (rest['spec'] as { configuration: object }).configuration,
    }
  }
  const models = (await import(`${modelsOf(apiVersion)}/${apiVersion}`)) as Record<string, Model | undefined>
  return { Kind: models[kind], data: rest }
}

const typeOf = ({ apiVersion, kind }: Manifest): string =>
  apiVersion === OBJECT_STORE
    ? `{ apiVersion: string; kind: string; metadata: object; spec: { retentionPolicy?: string; configuration: import('${STORE_CONFIGURATION}').IBarmanObjectStoreConfiguration } }`
    : `import('${modelsOf(apiVersion)}/${apiVersion}').I${kind}`

/** The violations of a document's values: wrong types and formats, missing fields. */
export async function valueFaults(manifest: Manifest): Promise<string[]> {
  const { Kind, data } = await modelFor(manifest)
  if (!Kind) return [`There is no ${manifest.kind} in ${manifest.apiVersion}.`]
  try {
    new Kind(data).validate()
    return []
  } catch (error) {
    return [String(error)]
  }
}

/**
 * Fields of the documents that no schema has, which Kubernetes drops silently. The compiled validators ignore them, so
 * the type checker checks each document as a literal of its type.
 */
export async function unknownFields(manifests: readonly Manifest[]): Promise<string[]> {
  const folder = mkdtempSync(join(ROOT, '.hearth', 'manifests-'))
  try {
    const file = join(folder, 'manifests.ts')
    const lines = manifests.map(
      (manifest, index) => `export const m${index}: ${typeOf(manifest)} = ${JSON.stringify(manifest)}`,
    )
    writeFileSync(file, `${lines.join('\n')}\n`)
    const options = ['--noEmit', '--ignoreConfig', '--strict', '--skipLibCheck', '--pretty', 'false']
    const modules = ['--module', 'esnext', '--moduleResolution', 'bundler', '--types', '']
    const child = Bun.spawn([process.execPath, '--bun', 'node_modules/.bin/tsc', ...options, ...modules, file], {
      cwd: ROOT,
      stdout: 'pipe',
    })
    const output = await child.stdout.text()
    const faults = output.split('\n').filter(Boolean)
    return (await child.exited) === 0 || faults.length > 0 ? faults : ['tsc failed without a message']
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

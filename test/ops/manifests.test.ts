// The Kubernetes manifests: valid, consistent with each other and with our configuration.
import { describe, expect, test } from 'bun:test'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

import { readConfig } from '../../src/config.ts'
import { ROOT } from '../support/imports.ts'
import { MANIFESTS, type Manifest, readManifests, unknownFields, valueFaults } from '../support/manifests.ts'

const yaml = (path: string): unknown => Bun.YAML.parse(readFileSync(join(ROOT, path), 'utf8'))

interface PodSpec {
  securityContext: object
  terminationGracePeriodSeconds?: number
  containers: {
    args: string[]
    ports?: { name: string; containerPort: number }[]
    envFrom: { configMapRef?: { name: string }; secretRef?: { name: string } }[]
    startupProbe?: Probe
    livenessProbe?: Probe
    readinessProbe?: Probe
    securityContext: object
    resources: { limits: { memory: string } }
  }[]
}
type Probe = { httpGet: { path: string; port: string } }

interface JsonPatch {
  path: string
  value: unknown
}

interface RestoredSpec {
  imageName: string
  bootstrap: { recovery: { source: string; recoveryTarget: { targetTime: string } } }
  externalClusters: unknown
  plugins?: unknown
  postgresql: { parameters: Record<string, string> }
}

const kustomizationOf = (folder: string) =>
  yaml(join('ops/kubernetes', folder, 'kustomization.yaml')) as {
    resources: string[]
    patches?: { target: { name: string }; patch: string }[]
  }

const manifests = readManifests().map(({ manifest }) => manifest)
const ofKind = (kind: string) => manifests.filter((manifest) => manifest.kind === kind)
function clusterNamed(name: string): Manifest {
  const found = ofKind('Cluster').find(({ metadata }) => metadata.name === name)
  if (!found) throw new Error(`There is no cluster ${name}.`)
  return found
}
const podsOf = (manifest: Manifest) =>
  (manifest['spec'] as { template: { metadata: { labels: Record<string, string> }; spec: PodSpec } }).template
const workloads = [...ofKind('Deployment'), ...ofKind('Job')]

describe('the Kubernetes manifests', () => {
  test('match the schemas of Kubernetes', async () => {
    const faults = await Promise.all(
      readManifests().map(async ({ file, manifest }) =>
        (await valueFaults(manifest)).map((fault) => `${file}: ${fault}`),
      ),
    )
    expect(faults.flat()).toEqual([])
  })

  test('have no fields that the schemas lack', async () => {
    expect(await unknownFields(manifests)).toEqual([])
    const [deployment] = ofKind('Deployment')
    const misspelt = JSON.parse(JSON.stringify(deployment).replaceAll('readinessProbe', 'readynessProbe')) as Manifest
    expect(await unknownFields([misspelt])).toEqual([expect.stringContaining('readynessProbe"\' does not exist')])
  })

  test.each(['.', 'postgres', 'backup', 'restore'])('in %s are all applied by its kustomization', (folder) => {
    const { resources } = kustomizationOf(folder)
    const files = readdirSync(join(MANIFESTS, folder)).filter(
      (file) => file.endsWith('.yaml') && file !== 'kustomization.yaml',
    )
    expect(resources.filter((one) => !one.startsWith('../')).toSorted()).toEqual(files.toSorted())
  })

  test('have three PostgreSQL whose commits a replica confirms, behind poolers in transaction mode', () => {
    const cluster = clusterNamed('hearth-postgres')
    expect(cluster['spec']).toMatchObject({ instances: 3, postgresql: { synchronous: { number: 1 } } })
    const [pooler] = ofKind('Pooler')
    expect(pooler?.['spec']).toMatchObject({
      cluster: { name: cluster.metadata.name },
      type: 'rw',
      pgbouncer: { poolMode: 'transaction' },
    })
  })

  test('archive what PostgreSQL writes into an object store, and restore from there a copy that Hearth knows as one', async () => {
    const [patch] = kustomizationOf('backup').patches ?? []
    const [{ path, value } = { path: '', value: undefined }] = Bun.YAML.parse(patch?.patch ?? '') as JsonPatch[]
    const cluster = clusterNamed(patch?.target.name ?? '')
    expect(path).toBe('/spec/plugins')
    const archiving = { ...cluster, spec: { ...(cluster['spec'] as object), plugins: value } }
    expect([await valueFaults(archiving), await unknownFields([archiving])]).toEqual([[], []])
    const [store] = ofKind('ObjectStore')
    const plugin = { name: 'barman-cloud.cloudnative-pg.io' }
    expect(value).toEqual([{ ...plugin, isWALArchiver: true, parameters: { barmanObjectName: store?.metadata.name } }])
    expect(ofKind('ScheduledBackup')[0]?.['spec']).toMatchObject({
      cluster: { name: cluster.metadata.name },
      method: 'plugin',
      pluginConfiguration: plugin,
    })
    const copy = clusterNamed('hearth-postgres-copy')['spec'] as RestoredSpec
    expect(copy.externalClusters).toEqual([
      {
        name: copy.bootstrap.recovery.source,
        plugin: {
          ...plugin,
          parameters: { barmanObjectName: store?.metadata.name, serverName: cluster.metadata.name },
        },
      },
    ])
    expect(copy.postgresql.parameters['hearth.restored']).toBe(copy.bootstrap.recovery.recoveryTarget.targetTime)
    expect(copy.plugins).toBeUndefined()
    expect(copy.imageName).toBe((cluster['spec'] as RestoredSpec).imageName)
  })

  test('select pods that exist', () => {
    const pods = workloads.map((workload) => podsOf(workload).metadata.labels)
    const selects = (wanted: Record<string, string>) =>
      pods.filter((labels) => Object.entries(wanted).every(([name, value]) => labels[name] === value))
    for (const manifest of manifests) {
      const { selector } = (manifest['spec'] ?? {}) as { selector?: Record<string, unknown> }
      if (selector) expect(selects((selector['matchLabels'] ?? selector) as Record<string, string>)).toHaveLength(1)
    }
    const names = ofKind('Deployment').map(({ metadata }) => metadata.name)
    const scaled = ofKind('HorizontalPodAutoscaler').map(
      ({ spec }) => (spec as { scaleTargetRef: { name: string } }).scaleTargetRef.name,
    )
    expect(scaled.toSorted()).toEqual(names.toSorted())
    expect(
      ofKind('PodDisruptionBudget')
        .map(({ metadata }) => metadata.name)
        .toSorted(),
    ).toEqual(names.toSorted())
  })

  test('probe health and readiness at existing paths', () => {
    for (const deployment of ofKind('Deployment'))
      for (const { ports = [], startupProbe, livenessProbe, readinessProbe } of podsOf(deployment).spec.containers) {
        expect([startupProbe, livenessProbe, readinessProbe].map((probe) => probe?.httpGet)).toEqual([
          { path: '/healthz', port: 'ops' },
          { path: '/healthz', port: 'ops' },
          { path: '/readyz', port: 'ops' },
        ])
        expect(ports).toContainEqual({ name: 'ops', containerPort: 9464 })
      }
  })

  test('run as an unprivileged user, with a read-only file system and a memory limit', () => {
    for (const workload of workloads) {
      const { spec } = podsOf(workload)
      expect(spec.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } })
      for (const { securityContext, resources } of spec.containers) {
        expect(securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        })
        expect(resources.limits.memory).toMatch(/^\d+[MG]i$/)
      }
    }
  })

  test('set a valid production configuration and contain no secrets', () => {
    const [config] = ofKind('ConfigMap')
    const names = workloads.flatMap((workload) => podsOf(workload).spec.containers.flatMap(({ envFrom }) => envFrom))
    expect(new Set(names.map(({ configMapRef, secretRef }) => configMapRef?.name ?? secretRef?.name))).toEqual(
      new Set(['hearth']),
    )
    expect(ofKind('Secret')).toEqual([])
    const data = config?.['data'] as Record<string, string>
    const given = {
      DATABASE_URL: 'postgres://elsewhere/hearth',
      REDIS_URL: 'redis://elsewhere',
      HEARTH_SECRET: 'x'.repeat(48),
      HEARTH_ENV: 'production',
    }
    expect(readConfig({ ...data, ...given })).toMatchObject({ baseUrl: data['BASE_URL'], environment: 'production' })
    const readers = ['src/config.ts', 'src/platform/telemetry/tracing-config.ts']
    const source = readers.map((file) => readFileSync(join(ROOT, file), 'utf8')).join('\n')
    for (const name of Object.keys(data)) expect(source).toMatch(new RegExp(`['".]${name}\\b`))
  })
})

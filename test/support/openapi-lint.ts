// The two linters that judge /openapi.json, neither of which knows the other or us.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { Validator } from '@seriousme/openapi-schema-validator'

import { ROOT } from './imports.ts'

interface Finding {
  ruleId: string
  severity: 'error' | 'warn'
  message: string
  location: { pointer?: string }[]
}

/** Redocly's findings, errors and warnings, as lines. */
export async function lintWithRedocly(document: unknown): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'hearth-openapi-'))
  try {
    const file = join(folder, 'openapi.json')
    writeFileSync(file, JSON.stringify(document))
    const child = Bun.spawn(
      [process.execPath, '--bun', 'node_modules/.bin/redocly', 'lint', file, '--format=json', '--config=redocly.yaml'],
      {
        cwd: ROOT,
        env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
        stdout: 'pipe',
        stderr: 'pipe',
      },
    )
    const [said, complained] = await Promise.all([child.stdout.text(), child.stderr.text()])
    await child.exited
    const start = said.indexOf('{')
    if (start === -1) throw new Error(`redocly said nothing that can be read:\n${said}\n${complained}`)
    const { problems } = JSON.parse(said.slice(start)) as { problems: Finding[] }
    return problems.map(
      ({ severity, ruleId, message, location }) => `${severity} ${ruleId} ${location[0]?.pointer ?? ''}: ${message}`,
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Whether the document is as OpenAPI's own JSON Schema for its version wants it; the faults as lines. */
export async function lintWithSchema(document: object): Promise<string[]> {
  const validator = new Validator()
  const { valid, errors } = await validator.validate(structuredClone(document) as Record<string, unknown>)
  if (valid) return validator.version === '3.1' ? [] : [`is version ${validator.version}`]
  return Array.isArray(errors)
    ? errors.map(({ instancePath, message }) => `${instancePath}: ${message}`)
    : [errors ?? 'is not valid']
}

// Two independent linters for /openapi.json.
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
    const [output, errors] = await Promise.all([child.stdout.text(), child.stderr.text()])
    await child.exited
    const start = output.indexOf('{')
    if (start === -1) throw new Error(`redocly printed no JSON:\n${output}\n${errors}`)
    const { problems } = JSON.parse(output.slice(start)) as { problems: Finding[] }
    return problems.map(
      ({ severity, ruleId, message, location }) => `${severity} ${ruleId} ${location[0]?.pointer ?? ''}: ${message}`,
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The violations of OpenAPI's own JSON Schema for the document's version, as lines. */
export async function lintWithSchema(document: object): Promise<string[]> {
  const validator = new Validator()
  const { valid, errors } = await validator.validate(structuredClone(document) as Record<string, unknown>)
  if (valid) return validator.version === '3.1' ? [] : [`is version ${validator.version}`]
  return Array.isArray(errors)
    ? errors.map(({ instancePath, message }) => `${instancePath}: ${message}`)
    : [errors ?? 'is not valid']
}

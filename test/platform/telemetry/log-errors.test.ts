// The log names the fault, not the caller.
import { expect, test } from 'bun:test'

import { errorForLog, withoutPersonalData } from '../../../src/platform/telemetry/log-errors.ts'

const SECRETS = [
  ['hearth_live_0123456789ABCDEFGHIJKLMNOPQRSTUV', 'ABCDEF'],
  ['hearth_access_0123456789ABCDEFGHIJKLMNOPQRSTUV', 'ABCDEF'],
  ['hearth_refresh_0123456789ABCDEFGHIJKLMNOPQRSTUV', 'ABCDEF'],
  ['whsec_MDEyMzQ1Njc4OWFiY2RlZg', 'MDEyMzQ1'],
  ['sk_live_51HxYzAbCdEf', '51HxYz'],
  ['pi_3Abc_secret_xyzXYZ', 'xyzXYZ'],
  ['Bearer abc.def-ghi', 'abc.def'],
  ['HTH-0123456789AB', '0123456789AB'],
  ['postgres://hearth:hunter2@db.test.example/hearth', 'hunter2'],
  ['Home.Owner+x@mail.test.example', 'Home.Owner'],
  ['+1 (512) 555-0142', '555'],
] as const

test('no key, secret, code, address or number of a person is in a logged text', () => {
  for (const [text, secret] of SECRETS)
    for (const sentence of [text, `Failed for ${text}.`, `{"value":"${text}"}`, `(${text})`])
      expect([sentence, withoutPersonalData(sentence).includes(secret)]).toEqual([sentence, false])
})

test('what is no personal data stays', () => {
  for (const text of [
    'status 503 after 250 ms',
    'booking 0189a0b1-c2d3-7e4f-8a5b-6c7d8e9fa0b1',
    'HTH is a prefix',
    'a @ b',
  ])
    expect(withoutPersonalData(text)).toBe(text)
})

test('of an error of the database no quoted value and no row is logged, at any depth', () => {
  const error = Object.assign(new Error('duplicate key value violates "users_key" for "Jane Doe"'), {
    name: 'PostgresError',
    code: '23505',
    constraint_name: 'users_key',
    detail: 'Key (name)=(Jane Doe) exists.',
  })
  const logged = errorForLog(new Error('outer home@mail.test.example', { cause: error }))
  const text = JSON.stringify(logged)
  for (const value of ['Jane', 'home@mail', 'exists.']) expect([value, text.includes(value)]).toEqual([value, false])
  expect(logged['cause']).toMatchObject({ code: '23505', constraint_name: 'users_key' })
})

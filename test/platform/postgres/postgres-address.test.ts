// The address of PostgreSQL in libpq's URLs.
import { describe, expect, test } from 'bun:test'

import { socketUrl, postgresAddress, defaultConnections } from '../../../src/platform/postgres/address.ts'

describe('the address of', () => {
  test.each([
    ['a host', 'postgres://me:secret@db.test:6000/hearth', undefined],
    ['a host that a parameter names', 'postgres://db.test/hearth?host=other.test', undefined],
    ['a socket', 'postgres://me@localhost:6000/hearth?host=/var/run/postgresql', '/var/run/postgresql/.s.PGSQL.6000'],
    ['a socket with escapes', 'postgres://me@h/hearth?host=%2Ftmp%2Fmy%20own', '/tmp/my own/.s.PGSQL.5432'],
    ['a socket without a host', 'postgresql:///hearth?host=/tmp', '/tmp/.s.PGSQL.5432'],
  ])('%s', (_, url, path) => {
    expect(postgresAddress(url).path).toBe(path)
  })

  test('a socket URL keeps its other parameters as session settings', () => {
    const { url } = postgresAddress('postgres://me@h:6000/hearth?host=/tmp&application_name=mine')
    expect(url).toBe('postgres://me@h:6000/hearth?application_name=mine')
  })

  test('other URLs are unchanged', () => {
    const url = 'postgres://me:s%20t@db.test/hearth?application_name=mine'
    expect(postgresAddress(url)).toEqual({ url })
  })

  test('a URL written for a socket folder is parsed back to that folder', () => {
    const url = socketUrl('postgres://me:secret@127.0.0.1:6000/hearth', '/tmp/my own')
    expect(postgresAddress(url)).toEqual({
      url: 'postgres://me:secret@127.0.0.1:6000/hearth',
      path: '/tmp/my own/.s.PGSQL.6000',
    })
  })
})

test('a socket URL has fewer default connections, because PostgreSQL shares the cores', () => {
  expect(defaultConnections('postgres://db.test/hearth')).toBe(8)
  expect(defaultConnections('postgres://localhost/hearth?host=/tmp')).toBeWithin(4, 9)
})

// The address of PostgreSQL in libpq's URLs.
import { describe, expect, test } from 'bun:test'

import { readConfig } from '../../../src/config.ts'
import { databasePath, hostUrls, hostsAndPath, socketUrl } from '../../../src/platform/postgres/address.ts'
import { defaultConnections, postgresAddress } from '../../../src/platform/postgres/client.ts'

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

const TWO = 'postgres://me:s%2Ct@one.test:6000,[fd00::2]/hearth?target_session_attrs=read-write&application_name=mine'

test('a URL of several hosts is one URL for each, with the same user, database and settings', () => {
  expect(hostUrls(TWO)).toEqual([
    'postgres://me:s%2Ct@one.test:6000/hearth?application_name=mine',
    'postgres://me:s%2Ct@[fd00::2]/hearth?application_name=mine',
  ])
  expect([databasePath(TWO), hostsAndPath(TWO)]).toEqual(['/hearth', 'one.test:6000,[fd00::2]/hearth'])
  expect(hostUrls('postgres://me@one/hearth')).toEqual(['postgres://me@one/hearth'])
})

describe('the configuration', () => {
  const config = (env: Record<string, string>) =>
    readConfig({ DATABASE_URL: 'postgres://one/hearth', REDIS_URL: 'redis://localhost', ...env })

  test('takes several replicas, as URLs separated by commas or as hosts of one URL', () => {
    const urls = ['postgres://two/hearth', 'postgres://three:6000/hearth', 'postgresql://four/hearth']
    expect(config({ DATABASE_READ_URL: urls.join(',') }).databaseReadUrls).toEqual(urls)
    expect(config({ DATABASE_READ_URL: 'postgres://two,three:6000/hearth' }).databaseReadUrls).toEqual(urls.slice(0, 2))
    expect(config({}).databaseReadUrls).toEqual([])
  })

  test.each([
    [{ DATABASE_URL: 'postgres://one,,two/hearth' }, 'DATABASE_URL must be a URL that begins with'],
    [{ DATABASE_URL: 'postgres://one:x,two/hearth' }, 'DATABASE_URL must be a URL that begins with'],
    [{ DATABASE_URL: 'mysql://one,two/hearth' }, 'DATABASE_URL must be a URL that begins with'],
    [{ DATABASE_URL: 'postgres://one,two/h?target_session_attrs=any' }, 'must be read-write or primary, not "any"'],
    [{ DATABASE_READ_URL: 'two,three' }, 'DATABASE_READ_URL must be a URL that begins with'],
    [{ DATABASE_READ_URL: 'postgres://two/h?target_session_attrs=primary' }, 'must be any or read-only or standby'],
  ])('refuses %o', (env, message) => {
    expect(() => config(env)).toThrow(message)
  })
})

// What `npm start` sets for its server.
import { expect, test } from 'bun:test'

import { serverEnvironment } from '../../../src/commands/up/settings.ts'

const PROVIDED = { databaseUrl: 'postgres://one', redisUrl: 'redis://one', secret: 'a secret of this test' }

test.each([
  [{}, 'true'],
  [{ HOST: 'localhost' }, 'true'],
  [{ HOST: '0.0.0.0' }, 'false'],
  [{ BASE_URL: 'https://hearth.example' }, 'false'],
  [{ WEBHOOK_ALLOW_PRIVATE: 'false' }, 'false'],
  [{ HOST: '0.0.0.0', WEBHOOK_ALLOW_PRIVATE: '1' }, '1'],
])('webhooks may go to this machine where the server is reached from this machine only: %j', (env, expected) => {
  expect(serverEnvironment(env, PROVIDED)['WEBHOOK_ALLOW_PRIVATE']).toBe(expected)
})

// What `npm start` sets for its server.
import { expect, test } from 'bun:test'

import { serverEnvironment } from '../../../src/commands/up/settings.ts'

const PROVIDED = { databaseUrl: 'postgres://one', redisUrl: 'redis://one', secret: 'a secret of this test' }

test.each([
  [{}, 'true'],
  [{ HOST: 'localhost' }, 'true'],
  [{ HOST: '0.0.0.0' }, 'false'],
  [{ BASE_URL: 'https://hearth.example' }, 'false'],
  [{ HEARTH_ENV: 'production' }, 'false'],
  [{ WEBHOOK_ALLOW_PRIVATE: 'false' }, 'false'],
  [{ HOST: '0.0.0.0', WEBHOOK_ALLOW_PRIVATE: '1' }, '1'],
])('webhooks go to this machine only where nobody else reaches the server: %j', (env, expected) => {
  expect(serverEnvironment(env, PROVIDED)['WEBHOOK_ALLOW_PRIVATE']).toBe(expected)
})

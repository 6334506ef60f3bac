// What traces tell of paths that no route has.
import { expect, test } from 'bun:test'

import { pathShapes } from '../../src/http/path-shape.ts'
import { openTestApp } from '../support/app.ts'
import { opened } from '../support/fixture.ts'

const { app } = await opened(openTestApp('migrated'))
const shapeOf = pathShapes(() => app.routes)

test('a path without a route is told by the words that routes have, and nothing else of it', () => {
  expect(shapeOf('/api/v1/nowhere')).toBe('/api/v1/*')
  expect(shapeOf('/api/v2/pros')).toBe('/api/*/pros')
  expect(shapeOf('/wp-login.php')).toBe('/*')
  expect(shapeOf('/api/v1/households/dana@example.com/5125550142')).toBe('/api/v1/*/*/*')
  expect(shapeOf(`/${'pros/'.repeat(4000)}`)).toBe('/pros/pros/pros/pros/pros/pros')
})

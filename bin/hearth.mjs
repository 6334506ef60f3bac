#!/usr/bin/env node
// The `hearth` command: runs src/cli.ts with Bun from any folder.
import { fileURLToPath } from 'node:url'

import { withBun } from './with-bun.mjs'

await withBun([fileURLToPath(new URL('../src/cli.ts', import.meta.url)), ...process.argv.slice(2)])

#!/usr/bin/env node
// The `hearth` command: src/cli.ts, run by Bun, from whatever folder it is called in.
import { fileURLToPath } from 'node:url'

import { withBun } from './with-bun.mjs'

await withBun([fileURLToPath(new URL('../src/cli.ts', import.meta.url)), ...process.argv.slice(2)])

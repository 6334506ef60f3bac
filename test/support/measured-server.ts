// The server, which at SIGUSR2 collects all its garbage and says in its log what it holds all the same.
import { heapStats } from 'bun:jsc'

import '../../src/server.ts'

const MIB = 1024 ** 2

process.on('SIGUSR2', () => {
  Bun.gc(true)
  const { heapSize, extraMemorySize } = heapStats()
  process.stdout.write(`${JSON.stringify({ msg: 'memory', heldMiB: (heapSize + extraMemorySize) / MIB })}\n`)
})

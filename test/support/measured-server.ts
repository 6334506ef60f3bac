// A server that on SIGUSR2 collects its garbage and logs the memory still in use.
import { heapStats } from 'bun:jsc'

import '../../src/server.ts'

const MIB = 1024 ** 2

process.on('SIGUSR2', () => {
  Bun.gc(true)
  const { heapSize, extraMemorySize } = heapStats()
  process.stdout.write(`${JSON.stringify({ msg: 'memory', heldMiB: (heapSize + extraMemorySize) / MIB })}\n`)
})

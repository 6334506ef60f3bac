// Preloaded into a server, this removes tracing: no span is recorded or exported.
import { plugin } from 'bun'

plugin({
  name: 'without-tracing',
  setup(build) {
    build.onLoad({ filter: /\/src\/platform\/telemetry\/sdk\.ts$/ }, () => ({
      contents: `export const openTelemetry = () =>
        ({ traces: { droppedSpans: 0, onKept: () => () => undefined }, close: async () => undefined })`,
      loader: 'ts',
    }))
  },
})

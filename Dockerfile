# One image with all commands: `serve` (the default), `work`, `migrate`, `seed`, `keys` …
# test/ops/image.test.ts runs these steps in root file systems built by debootstrap; use only instructions it supports.

FROM oven/bun:1.4.4-slim AS dependencies
WORKDIR /app
COPY package.json bun.lock ./
COPY patches patches
RUN bun install --frozen-lockfile --production --omit=peer --ignore-scripts
# Half of the packages' files are for editors and debuggers only.
RUN find node_modules -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' -o -name '*.md' -o -name '*.tsbuildinfo' \) -delete
# The page of the reference loads the whole bundle, not its modules.
RUN find node_modules/swagger-ui-dist -name 'swagger-ui-es-*' -delete
# Sources that the packages also ship as JavaScript, and JavaScript that they ship twice.
RUN find node_modules/openai/src node_modules/zod/src node_modules/preact/src -delete
RUN find node_modules/openai -name '*.js' ! -path '*/internal/*' -delete && find node_modules/opentype.js -name '*.min.*' -delete
RUN find node_modules/markdown-it/dist node_modules/diff/dist node_modules/diff/libcjs node_modules/stripe/cjs node_modules/csv-parse/dist \
  ! -name markdown-it.mjs -type f -delete
# Tests, benchmarks and documents of the packages.
RUN find node_modules/pino/test node_modules/pino/benchmarks node_modules/pino/docs node_modules/pino/examples -delete
RUN find node_modules/thread-stream/test node_modules/@fastify/busboy/test node_modules/uqr/dist/index.cjs -delete
# The map of the search draws counties only.
RUN find node_modules/us-atlas -name '*-10m.json' ! -name counties-10m.json -delete
# Icons are outlines. Headings have one weight in Latin letters; share pictures two, with further letters.
RUN find node_modules/heroicons -name '*.svg' ! -path '*/24/outline/*' -delete
RUN find node_modules/@fontsource/figtree -type f ! -name figtree-latin-700-normal.woff2 ! -name 'figtree-latin*-[47]00-normal.woff' \
  ! -name package.json ! -name LICENSE -delete
# What libvips, which decodes pictures, is linked to besides the C library.
RUN mkdir libraries && cp /usr/lib/*-linux-gnu/libstdc++.so.6 /usr/lib/*-linux-gnu/libgcc_s.so.1 libraries

# The style sheets and scripts of the pages, each as one file.
COPY src src
RUN bun src/web/ui/build-assets.ts

# Bun and the C library, without a shell or package manager.
FROM oven/bun:1.4.4-distroless
WORKDIR /app
COPY --from=dependencies /app/node_modules node_modules
COPY --from=dependencies /app/libraries /usr/lib
COPY package.json LICENSE ./
COPY --from=dependencies /app/src src
COPY workers workers
COPY sql sql
ENV HEARTH_ENV=production HOST=0.0.0.0 PORT=3000 OPS_HOST=0.0.0.0 OPS_PORT=9464 WORKER_OPS_PORT=9464
# The user `nonroot` of distroless images. It owns no file of the image and needs to write none.
USER 65532:65532
EXPOSE 3000 9464
HEALTHCHECK --interval=15s --timeout=5s --start-period=20s CMD ["bun", "-e", "process.exit((await fetch(`http://127.0.0.1:${process.env.OPS_PORT}/healthz`)).ok ? 0 : 1)"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["bun", "src/cli.ts"]
CMD ["serve"]

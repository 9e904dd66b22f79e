# Two stages: install with npm from the lock file, then run with Bun as a user without rights on a root file system that may be read-only.
# `npm run pin-images` writes the digests of both bases below; until then they are tags, which may move (docs/deploying.md).
# scripts/prove-image.mjs runs these very steps where containers cannot run.
ARG NODE=node:22-bookworm-slim
ARG BASE=debian:bookworm-slim

FROM ${NODE} AS install
# The npm of `packageManager` in package.json, whichever the base brings.
RUN npm install --global --ignore-scripts npm@10.9.9
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY scripts ./scripts
COPY runners/signal/dsp/assembly ./runners/signal/dsp/assembly
RUN node scripts/setup.mjs && node scripts/prune-image.mjs

FROM ${BASE}
WORKDIR /app
COPY --from=install /app/node_modules ./node_modules
COPY package.json LICENSE CHANGELOG.md ./
COPY cli ./cli
COPY contract ./contract
COPY core ./core
COPY packages ./packages
COPY plugins ./plugins
COPY runners ./runners
COPY sdk/typescript/src ./sdk/typescript/src
COPY scripts/kernels.mjs ./scripts/
COPY --from=install /app/runners/signal/dsp/assembly/kernels.wasm /app/runners/signal/dsp/assembly/.compiled ./runners/signal/dsp/assembly/
COPY --from=install /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/
COPY examples ./examples
RUN useradd --no-create-home --home-dir /tmp --shell /usr/sbin/nologin --uid 10001 --user-group tonwerk && install -d -o tonwerk -g tonwerk -m 700 /data
USER 10001:10001
ENV HOST=0.0.0.0 PORT=8787 TONWERK_DATA=/data HOME=/tmp PATH=/app/node_modules/.bin:/usr/local/bin:/usr/bin:/bin
VOLUME /data
EXPOSE 8787
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s \
  CMD ["bun", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/health').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# Only /data and /tmp are written to. SIGTERM drains.
STOPSIGNAL SIGTERM
CMD ["bun", "core/main.ts"]

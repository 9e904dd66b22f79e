# Two stages: install with npm, run with Bun as a user without rights. Pin the bases by digest where you build for production:
#   docker build --build-arg NODE=node:22-bookworm-slim@sha256:… .
ARG NODE=node:22-bookworm-slim

FROM ${NODE} AS install
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY scripts ./scripts
COPY runners/dsp/assembly ./runners/dsp/assembly
# The compiler of the kernels is not needed afterwards.
RUN node scripts/setup.mjs && rm -rf node_modules/assemblyscript node_modules/binaryen node_modules/long

FROM ${NODE}
WORKDIR /app
COPY --from=install /app/node_modules ./node_modules
COPY package.json LICENSE ./
COPY core ./core
COPY plugins ./plugins
COPY runners ./runners
COPY --from=install /app/runners/dsp/assembly/kernels.wasm ./runners/dsp/assembly/
COPY examples ./examples
RUN install -d -o node -g node -m 700 /data
USER node
ENV HOST=0.0.0.0 PORT=8787 TONWERK_DATA=/data
VOLUME /data
EXPOSE 8787
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/health').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# The root file system may be read-only; only /data and /tmp are written to. SIGTERM drains.
STOPSIGNAL SIGTERM
CMD ["node_modules/.bin/bun", "core/main.ts"]

# syntax=docker/dockerfile:1
# Builds from a clone: docker build --build-arg SOURCE_COMMIT=$(git rev-parse HEAD) -t catenary .
# For builds that repeat to the byte, pin the digest too: docker buildx imagetools inspect node:24.21.0-slim

# The tarball is the same for every processor.
FROM --platform=$BUILDPLATFORM node:24.21.0-slim AS pack
WORKDIR /source
COPY package.json package-lock.json .npmrc ./
COPY apps/server/package.json apps/server/
COPY apps/web/package.json apps/web/
COPY packages/contracts/package.json packages/contracts/
COPY packages/domain/package.json packages/domain/
RUN npm ci --omit=dev
COPY . .
ARG SOURCE_COMMIT
RUN npm run pack

# What it depends on is not: argon2 is native. The tarball carries a lock of it.
FROM node:24.21.0-slim AS install
WORKDIR /app
COPY --from=pack /source/dist/catenary-*.tgz ./
RUN npm install --ignore-scripts --no-audit --no-fund ./catenary-*.tgz
RUN mkdir data

FROM node:24.21.0-slim
# By itself glibc keeps up to 64 MB of what was freed.
ENV DATA_DIR=/data HOST=0.0.0.0 PORT=3000 MALLOC_TRIM_THRESHOLD_=1048576
COPY --from=install /app/node_modules /app/node_modules
COPY --from=install --chown=1000:1000 /app/data /data
# A new volume for copies belongs to whom this does.
COPY --from=install --chown=1000:1000 /app/data /backups
VOLUME /data
WORKDIR /data
USER 1000:1000
EXPOSE 3000
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/app/node_modules/catenary/lib/server/main.js"]
CMD ["start"]

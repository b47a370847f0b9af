# The image of tenantry, in which the operator runs: docs/operator-install.md says how it is built.
# A release names both images by digest, as name:tag@sha256:..., by --build-arg.
ARG NODE_IMAGE=docker.io/library/node:24.21.0-bookworm-slim
ARG BASE_IMAGE=gcr.io/distroless/nodejs24-debian12:nonroot

# JavaScript is the same on every machine, so it is built once, on the one that builds.
FROM --platform=$BUILDPLATFORM ${NODE_IMAGE} AS build
WORKDIR /src
COPY package.json package-lock.json .npmrc ./
COPY packages packages
COPY test/package.json test/package.json
RUN ["npm", "ci", "--ignore-scripts"]
COPY LICENSE tsconfig.json tsconfig.build.json index.ts argocd.ts flux.ts ./
COPY scripts scripts
COPY crds crds
COPY model model
COPY constructs constructs
COPY synth synth
COPY apps apps
COPY import import
COPY operator operator
COPY cli cli
RUN ["node", "scripts/build.ts"]
RUN ["node", "scripts/image.ts", "/image"]

FROM ${BASE_IMAGE}
WORKDIR /app
# Of root: what runs cannot write it.
COPY --from=build --chown=0:0 /image /app
ENV NODE_ENV=production NODE_DISABLE_COMPILE_CACHE=1
USER 65532:65532
ENTRYPOINT ["/nodejs/bin/node", "--max-semi-space-size=2", "--memory-saver-mode", "/app/build/cli/main.js"]
CMD ["--help"]

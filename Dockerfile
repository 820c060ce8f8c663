# The image of the sandbox around the whole program: `npm run build:sandbox`, docs/sandbox.md.
FROM node:20-bookworm-slim AS build
WORKDIR /source
COPY . .
RUN npm ci && npm run pack -- /packages

FROM node:20-bookworm-slim
# What commands of the model usually need; bubblewrap contains them once more where the container allows it.
RUN apt-get update \
  && apt-get install -y --no-install-recommends \
    bash bubblewrap bzip2 ca-certificates curl diffutils file git jq less make patch perl procps python3 ripgrep unzip xz-utils \
  && rm -rf /var/lib/apt/lists/*
COPY --from=build /packages /packages
RUN npm install --global /packages/gemini-cli-cli-*.tgz \
  && npm cache clean --force \
  && rm -rf /packages
# No USER: the program is started as the user outside (container.ts), and podman maps root to that user.
CMD ["gemini"]

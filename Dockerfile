# A worker, or any other command of turnleaf: docker build -t turnleaf . && docker run turnleaf --help
FROM node:22-bookworm-slim AS build
WORKDIR /build
COPY . .
# `npm ci` also builds.
RUN npm ci --no-audit --no-fund && mkdir /package && npm pack --pack-destination /package

FROM node:22-bookworm-slim
WORKDIR /opt/turnleaf
COPY --from=build /package /package
RUN npm install --no-audit --no-fund --omit=dev /package/*.tgz pg-boss@12.35.0 && npm cache clean --force && rm -rf /package
# Connectors, connections and their secrets: mount them here, or copy them into an image of your own.
ENV NODE_ENV=production TURNLEAF_HOME=/home/node/turnleaf
RUN mkdir /home/node/turnleaf && chown node:node /home/node/turnleaf
USER node
WORKDIR /home/node/turnleaf
EXPOSE 9090
HEALTHCHECK --interval=15s --start-period=20s CMD ["node", "-e", "fetch('http://127.0.0.1:9090/health').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/opt/turnleaf/node_modules/turnleaf/bin/turnleaf.js"]
CMD ["worker", "--port", "9090", "--host", "0.0.0.0"]

# The server: one executable, one SQLite file under /data. Build from the root of the repository:
#   docker build -f docker/server.Dockerfile -t kernelgate-server .
# BASE must be a Debian 12; both stages use it.
ARG BASE=debian:12-slim

FROM ${BASE} AS build
RUN apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
      g++ cmake ninja-build git ca-certificates ccache mold \
      libboost1.81-dev libsqlite3-dev nlohmann-json3-dev libsimdjson-dev libtomlplusplus-dev libcli11-dev libfmt-dev libspdlog-dev \
      libcurl4-openssl-dev libssl-dev libseccomp-dev libzstd-dev zlib1g-dev libexpected-dev libbenchmark-dev \
    && rm -rf /var/lib/apt/lists/*
COPY . /src
WORKDIR /src
ARG JOBS=2
# A compiler cache of the host may be mounted here while building. ccache keys on the language, so it has to be the host's.
ARG CCACHE_DIR=/tmp/ccache
ARG LANG=C.UTF-8
RUN git config --system --add safe.directory /src \
    && cmake --preset host -DKERNELGATE_TESTS=OFF \
    && cmake --build --preset host -j "${JOBS}" --target kernelgate \
    && strip -o /kernelgate build/host/kernelgate

FROM ${BASE}
RUN apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
      ca-certificates libcurl4 libfmt9 libsimdjson14 libsqlite3-0 libssl3 libzstd1 zlib1g \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --create-home --home-dir /data --uid 64001 kernelgate
COPY --from=build /kernelgate /usr/local/bin/kernelgate
USER kernelgate
WORKDIR /data
VOLUME /data
EXPOSE 8080
ENTRYPOINT ["kernelgate"]
CMD ["server", "--listen", "0.0.0.0:8080", "--host", "server", "--data", "/data", "--admin-token-file", "/data/admin.token"]

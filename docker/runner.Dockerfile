# The runner, with what builds of CUDA repositories need. Build from the root of the repository:
#   docker build -f docker/runner.Dockerfile -t kernelgate-runner .
# BUILD_BASE compiles kernelgate and must be a Debian 12. BASE is what the runner and the commits it builds live in: a CUDA
# "devel" image of a Debian or Ubuntu whose C library is 2.36 or newer.
ARG BUILD_BASE=debian:12-slim
ARG BASE=nvidia/cuda:13.0.1-devel-ubuntu24.04

FROM ${BUILD_BASE} AS build
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
      bubblewrap ca-certificates ccache cmake g++ git git-lfs libbenchmark-dev ninja-build \
      libcurl4 libfmt9 libsimdjson14 libsqlite3-0 libssl3 libzstd1 zlib1g \
    && rm -rf /var/lib/apt/lists/*
COPY --from=build /kernelgate /usr/local/bin/kernelgate
RUN mkdir -p /var/lib/kernelgate
VOLUME /var/lib/kernelgate
WORKDIR /var/lib/kernelgate
ENTRYPOINT ["kernelgate"]
CMD ["runner", "--help"]

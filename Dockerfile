# syntax=docker/dockerfile:1
# Builds tfjob-webhook from source; the image holds the program, the shared libraries that it
# names and the loader: no shell, no package manager.
ARG BASE=docker.io/library/debian:bookworm-slim

FROM ${BASE} AS build
RUN apt-get update \
 && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
      g++ cmake ninja-build pkg-config \
      libcpp-httplib-dev libssl-dev libsimdjson-dev nlohmann-json3-dev libyaml-dev \
      libcli11-dev libspdlog-dev prometheus-cpp-dev
WORKDIR /src
COPY CMakeLists.txt ./
COPY cmake cmake
COPY include include
COPY src src
RUN cmake -S . -B /build -G Ninja -DCMAKE_BUILD_TYPE=Release -DBUILD_TESTING=OFF \
 && cmake --build /build --target tfjob-webhook
# Libraries keep their paths, because the loader looks for them there. For each Debian package
# that they come from, its copyright file comes along, and its status entry (where distroless
# images have it), which is what vulnerability scanners read. dpkg knows some files by their path
# from before /lib became a link to /usr/lib.
RUN set -eu \
 && mkdir -p /image/usr/bin /image/etc /image/var/lib/dpkg/status.d \
 && install -s -m 0755 /build/tfjob-webhook /image/usr/bin/tfjob-webhook \
 && ldd /image/usr/bin/tfjob-webhook > /build/libraries \
 && ! grep 'not found' /build/libraries \
 && for library in $(grep -o '/[^ ]*' /build/libraries | sort -u); do \
      mkdir -p "/image$(dirname "$library")" \
   && cp -L "$library" "/image$library" \
   && file=$(realpath "$library") \
   && package=$(dpkg-query -S "*${file#/usr}" | head -n 1 | cut -d: -f1) \
   && mkdir -p "/image/usr/share/doc/$package" \
   && cp "/usr/share/doc/$package/copyright" "/image/usr/share/doc/$package/" \
   && dpkg-query -s "$package" > "/image/var/lib/dpkg/status.d/$package" \
   || exit 1; \
    done \
 && cp -L /etc/os-release /image/etc/os-release \
 && echo 'nonroot:x:65532:65532:nonroot:/:/nonexistent' > /image/etc/passwd \
 && echo 'nonroot:x:65532:' > /image/etc/group

FROM scratch
ARG VERSION=0.1.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="tfjob-webhook" \
      org.opencontainers.image.description="Kubernetes admission webhook for the restart policies and exit codes of Kubeflow training jobs" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"
COPY --from=build /image/ /
USER 65532:65532
# 8443: /mutate and /validate over HTTPS; 8080: /livez, /readyz and /metrics.
EXPOSE 8443 8080
ENTRYPOINT ["/usr/bin/tfjob-webhook"]
CMD ["--help"]

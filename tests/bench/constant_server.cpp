// Our server with a constant reply: what a review costs besides the network, TLS and HTTP.
//
// Usage: constant_server CERTIFICATES LOOPS REPLY_FILE; prints its port. "-" for CERTIFICATES:
// plain HTTP.

#include <chrono>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <string_view>

#include "http/certificate.h"
#include "http/server.h"
#include "http/tls_context.h"

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  std::ostringstream content;
  content << std::ifstream(argv[3]).rdbuf();
  const std::string constant = content.str();
  http::ServerOptions options;
  options.host = "127.0.0.1";
  options.loops = static_cast<unsigned>(std::stoi(argv[2]));
  if (std::string_view(argv[1]) != "-") {
    const auto certificate = http::Certificate::load(argv[1], std::chrono::system_clock::now());
    if (!certificate) {
      std::cerr << certificate.error() << '\n';
      return 1;
    }
    options.tls = [context = http::make_tls_context(*certificate).value()] { return context; };
  }
  options.routes.push_back(
      {.method = "POST",
       .path = "/mutate",
       .consumes = "application/json",
       .handler = [&constant](const http::Request&) {
         return http::Response{
             .status = 200, .content_type = "application/json", .body = constant, .headers = {}};
       }});
  http::Server server(std::move(options));
  const auto port = server.listen();
  if (!port) {
    std::cerr << port.error() << '\n';
    return 1;
  }
  std::cout << *port << '\n' << std::flush;
  server.run();
}

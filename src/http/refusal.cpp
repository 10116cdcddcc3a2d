#include "http/refusal.h"

#include "http/date.h"

namespace http {

std::string_view reason_phrase(int status) noexcept {
  switch (status) {
    case 400:
      return "Bad Request";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 408:
      return "Request Timeout";
    case 411:
      return "Length Required";
    case 413:
      return "Content Too Large";
    case 415:
      return "Unsupported Media Type";
    case 417:
      return "Expectation Failed";
    case 429:
      return "Too Many Requests";
    case 431:
      return "Request Header Fields Too Large";
    case 500:
      return "Internal Server Error";
    case 501:
      return "Not Implemented";
    case 505:
      return "HTTP Version Not Supported";
    default:
      return {};
  }
}

std::string write_refusal(const Refusal& refusal, bool to_head_request) {
  std::string reply = "HTTP/1.1 " + std::to_string(refusal.status) + ' ';
  reply += reason_phrase(refusal.status);
  reply += "\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: ";
  reply += std::to_string(refusal.message.size() + 1);
  for (const auto& [name, value] : refusal.headers) {
    reply.append("\r\n").append(name).append(": ").append(value);
  }
  reply.append("\r\nDate: ").append(http_date());
  reply += "\r\nConnection: close\r\n\r\n";
  if (!to_head_request) reply.append(refusal.message).append("\n");
  return reply;
}

}  // namespace http

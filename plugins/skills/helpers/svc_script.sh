# Talks to the svc server that runs this script: . "$SVC_HELPERS/svc_script.sh"
#
#   svc_progress 3 10 "frame 3"     how far the work is; the number must grow
#   svc_log warning "no such node"  debug, info, notice, warning or error
#   svc_partial "3 of 10 written"   what there is so far
#   svc_succeed "done"              prints the result of the script
#   svc_fail "no such file"         prints a failure and ends the script
#
# A script that is cancelled gets SIGTERM: use trap. Run by hand, without a server, it writes to standard error.

_svc_text() {
  local text=${1//\\/\\\\}
  text=${text//\"/\\\"}
  text=${text//$'\n'/\\n}
  text=${text//$'\r'/\\r}
  text=${text//$'\t'/\\t}
  printf '"%s"' "$text"
}

_svc_send() {
  if [ -n "${SVC_CHANNEL_FD:-}" ]; then printf '%s\n' "$1" >&"$SVC_CHANNEL_FD"; else printf '%s\n' "$1" >&2; fi
}

svc_progress() {
  local line="{\"type\":\"progress\",\"progress\":$1"
  if [ -n "${2:-}" ]; then line="$line,\"total\":$2"; fi
  if [ -n "${3:-}" ]; then line="$line,\"message\":$(_svc_text "$3")"; fi
  _svc_send "$line}"
}

svc_log() { _svc_send "{\"type\":\"log\",\"level\":$(_svc_text "$1"),\"data\":$(_svc_text "$2")}"; }

svc_partial() { _svc_send "{\"type\":\"partial\",\"value\":$(_svc_text "$1")}"; }

svc_succeed() { printf '{"success":true,"message":%s}\n' "$(_svc_text "${1:-}")"; }

svc_fail() {
  printf '{"success":false,"message":%s}\n' "$(_svc_text "$1")"
  exit 1
}

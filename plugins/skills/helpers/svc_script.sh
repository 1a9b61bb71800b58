# Talks to the svc server that runs this script: . "$SVC_HELPERS/svc_script.sh"
#
#   svc_progress 3 10 "frame 3"     how far the work is; the number must grow
#   svc_log warning "no such node"  debug, info, notice, warning or error
#   svc_partial "3 of 10 written"   what there is so far
#   svc_arg text "default"          an argument of the call (text, number or switch), else the default
#   svc_succeed "done" frames 3     prints the result of the script, with names and values as its context
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

# The arguments of the script, which sources this file with none of its own.
_svc_args=("$@")

svc_arg() {
  local at flag="--${1//_/-}"
  for ((at = 0; at + 1 < ${#_svc_args[@]}; at += 2)); do
    if [ "${_svc_args[at]}" = "$flag" ]; then
      printf '%s' "${_svc_args[at + 1]}"
      return
    fi
  done
  printf '%s' "${2:-}"
}

_svc_value() {
  if [[ $1 =~ ^(-?(0|[1-9][0-9]*)(\.[0-9]+)?|true|false|null)$ ]]; then printf '%s' "$1"; else _svc_text "$1"; fi
}

svc_succeed() {
  local context="" line
  line="{\"success\":true,\"message\":$(_svc_text "${1:-}")"
  if [ $# -gt 0 ]; then shift; fi
  while [ $# -ge 2 ]; do
    context="$context${context:+,}$(_svc_text "$1"):$(_svc_value "$2")"
    shift 2
  done
  if [ -n "$context" ]; then line="$line,\"context\":{$context}"; fi
  printf '%s}\n' "$line"
}

svc_fail() {
  printf '{"success":false,"message":%s}\n' "$(_svc_text "$1")"
  exit 1
}

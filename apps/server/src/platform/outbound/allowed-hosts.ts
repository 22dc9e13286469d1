const ENTRY = /^(?<host>\[[^\]]+\]|[^\s:/?#@*\\]+)(?::(?<port>\d{1,5}))?$/
const DEFAULT_PORTS: Record<string, string> = { 'http:': '80', 'https:': '443' }

interface AllowedHost {
  hostname: string
  /** The port that alone is allowed; absent: the default one of the URL's scheme. */
  port: string | undefined
}

/** Reads `host[:port]` as a URL would; undefined if it is none. */
export function parseAllowedHost(entry: string): AllowedHost | undefined {
  const { host, port } = ENTRY.exec(entry)?.groups ?? {}
  if (host === undefined || (port !== undefined && (Number(port) < 1 || Number(port) > 65_535))) return
  const url = URL.parse(`http://${host}`)
  if (url === null) return
  return { hostname: url.hostname, port: port === undefined ? undefined : String(Number(port)) }
}

export function createAllowedHosts(entries: string[]): (url: URL) => boolean {
  const allowed = entries.map(parseAllowedHost)
  return ({ protocol, hostname, port }) => {
    const wanted = port === '' ? DEFAULT_PORTS[protocol] : port
    return allowed.some(
      (one) =>
        one !== undefined && one.hostname === hostname && (one.port ?? DEFAULT_PORTS[protocol]) === wanted,
    )
  }
}

/** A signed-in caller of the HTTP API, as the web app would be. */
export interface Api {
  get<T>(path: string): Promise<T>
  post<T>(path: string, body?: unknown): Promise<T>
  /** Any call, with its status and parsed reply. */
  call(method: string, path: string, body?: unknown): Promise<{ status: number; body: unknown }>
  /** The session cookies, to be given to a browser. */
  cookies(): { name: string; value: string; url: string; expires: number }[]
}

const DAY_S = 86_400

/** A caller without a session; logging in or registering through it gives it one. */
export function createApi(url: string): Api {
  const jar = new Map<string, string>()

  const call: Api['call'] = async (method, path, body) => {
    const reply = await fetch(new URL(path, url), {
      method,
      headers: {
        origin: url,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(jar.size === 0 ? {} : { cookie: [...jar].map((pair) => pair.join('=')).join('; ') }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    for (const cookie of reply.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      if (name !== undefined && value !== undefined) jar.set(name, value)
    }
    const text = await reply.text()
    return { status: reply.status, body: isJson(reply) ? JSON.parse(text) : text }
  }
  const expectOk = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const reply = await call(method, path, body)
    if (reply.status >= 300) {
      throw new Error(`${method} ${path}: ${reply.status} ${JSON.stringify(reply.body)}`)
    }
    return reply.body as T
  }
  return {
    get: (path) => expectOk('GET', path),
    post: (path, body) => expectOk('POST', path, body),
    call,
    // As the server sets them: one without a date ends for Chromium with a profile's last page.
    cookies: () =>
      [...jar].map(([name, value]) => ({ name, value, url, expires: Date.now() / 1000 + DAY_S })),
  }
}

function isJson(reply: Response): boolean {
  return reply.headers.get('content-type')?.startsWith('application/json') ?? false
}

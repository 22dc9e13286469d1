import { Agent, type IncomingMessage, request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'

/** Callers of the program: with a session or without, each from its own address. */
export interface Caller {
  url: string
  agent: Agent
  headers: Record<string, string>
}

let callers = 0

/** A caller of that program, behind the proxy that it trusts. */
export function newCaller(url: string, cookie?: string): Caller {
  callers += 1
  const address = `10.${callers >> 16}.${(callers >> 8) & 255}.${callers & 255}`
  const headers = { origin: url, 'x-forwarded-for': address, ...(cookie && { cookie }) }
  return { url, agent: new Agent({ keepAlive: true }), headers }
}

export interface Answer {
  status: number
  text: string
  cookie: string
  ms: number
}

export interface Asked {
  method?: string
  path: string
  body?: object
  /** In place of a body: its text, which is made once. */
  payload?: string
  /** The caller hangs up. */
  signal?: AbortSignal
}

/** One call, read to its end, which comes within a minute or is broken off. */
export async function ask(
  { url, agent, headers }: Caller,
  { method = 'GET', path, body, payload = body && JSON.stringify(body), signal: left }: Asked,
): Promise<Answer> {
  const start = performance.now()
  const json = payload && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) }
  const reply = await new Promise<IncomingMessage>((resolve, reject) => {
    const signal = AbortSignal.any([AbortSignal.timeout(60_000), ...(left ? [left] : [])])
    request(`${url}${path}`, { method, agent, signal, headers: { ...headers, ...json } }, resolve)
      .on('error', reject)
      .end(payload)
  })
  let text = ''
  for await (const chunk of reply.setEncoding('utf8')) text += chunk
  const cookie = (reply.headers['set-cookie'] ?? []).map((each) => each.split(';', 1)[0]).join('; ')
  return { status: reply.statusCode ?? 0, text, cookie, ms: performance.now() - start }
}

/** The 99th percentile. */
export function p99(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * 0.99) - 1)] ?? Number.NaN
}

/** Does it over and over until the end, with a rest of up to twice `restMs` in between. */
export async function repeat({
  until,
  restMs,
  what,
}: {
  until: number
  restMs: number
  what: () => Promise<unknown>
}): Promise<void> {
  // Spread out, so that they do not all begin together.
  await delay(Math.random() * restMs)
  while (performance.now() < until) {
    await what()
    if (restMs > 0) await delay(Math.random() * 2 * restMs)
  }
}

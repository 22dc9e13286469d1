import { Agent, type IncomingMessage, request } from 'node:http'
import { median } from './measure.ts'

const BURSTS = 5
const BURST_MS = 2_000

/** Someone who can be asked over and over. */
export interface Contender {
  url: string
  headers: Record<string, string>
  body: string
  agent: Agent
}

export const newAgent = (): Agent => new Agent({ keepAlive: true })

/** One call; the milliseconds until `mark` was read, until `last` was, and until its end. */
export async function call(
  { agent, url, headers, body }: Contender,
  { mark, last }: { mark: string; last: string },
): Promise<{ first: number; text: number; whole: number }> {
  const start = performance.now()
  const reply = await new Promise<IncomingMessage>((resolve, reject) => {
    const json = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
    request(url, { method: 'POST', agent, headers: { ...json, ...headers } }, resolve)
      .on('error', reject)
      .end(body)
  })
  const seen: Record<string, number> = {}
  let read = ''
  for await (const chunk of reply) {
    read += String(chunk)
    for (const part of [mark, last]) if (read.includes(part)) seen[part] ??= performance.now() - start
  }
  const { [mark]: first, [last]: text } = seen
  if (reply.statusCode !== 200 || first === undefined || text === undefined)
    throw new Error(`${url}: ${reply.statusCode} ${read.slice(0, 500)}`)
  return { first, text, whole: performance.now() - start }
}

/** Calls a second of so many callers together, as the median of bursts in turns. */
export async function ratesOf<Name extends string>({
  contenders,
  callers,
  ask,
}: {
  contenders: Record<Name, Contender>
  callers: number
  ask: (contender: Contender) => Promise<unknown>
}): Promise<Record<Name, number>> {
  const names = Object.keys(contenders) as Name[]
  const counted = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>
  for (let burst = 0; burst <= BURSTS; burst += 1) {
    for (const name of names) {
      let calls = 0
      const start = performance.now()
      const caller = async () => {
        while (performance.now() - start < BURST_MS) {
          await ask(contenders[name])
          calls += 1
        }
      }
      await Promise.all(Array.from({ length: callers }, caller))
      // The first burst warms up.
      if (burst > 0) counted[name].push((calls * 1_000) / (performance.now() - start))
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(counted[name])])) as Record<Name, number>
}

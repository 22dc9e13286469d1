import { setImmediate as turn } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'

/** What sends the bodies has a thread of its own: only what is done with them counts here. */
const SENDER = `
const { parentPort } = require('node:worker_threads')
const { connect } = require('node:net')
let wanted
parentPort.on('message', (message) => {
  if (message.head !== undefined) {
    wanted = message
    return parentPort.postMessage('ready')
  }
  const { host, port, head, bytes } = wanted
  const socket = connect({ host, port })
  let text = ''
  let sent = false
  const done = (status) => {
    if (sent) return
    sent = true
    socket.destroy()
    parentPort.postMessage({ status, text: text.slice(-500) })
  }
  socket.on('error', () => done(0))
  socket.on('close', () => done(0))
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1')
    const end = text.indexOf('\\r\\n\\r\\n')
    if (end === -1) return
    const length = /content-length: (\\d+)/i.exec(text.slice(0, end))
    if (length === null || text.length >= end + 4 + Number(length[1])) done(Number(text.slice(9, 12)))
  })
  socket.write(head)
  socket.write(bytes)
})
`

export interface Sent {
  method: string
  path: string
  headers: Record<string, string>
  bytes: Uint8Array
}

interface Cost {
  status: number
  text: string
  /** Of this thread, from the first byte to the reply. */
  ms: number
  /** What is held when the reply is sent, beyond what was held before. */
  megabytes: number
}

const MB = 1024 ** 2
const threadMs = () => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}
const heldBytes = () => {
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

/** Sends requests to this process by another thread, and says what each costs this one. */
export function startCosting(address: string) {
  const { hostname: host, port } = new URL(address)
  const worker = new Worker(SENDER, { eval: true })
  const answer = () => new Promise<unknown>((resolve) => worker.once('message', resolve))

  return {
    async cost({ method, path, headers, bytes }: Sent): Promise<Cost> {
      const lines = Object.entries({ ...headers, 'content-length': `${bytes.length}` })
      const head = [
        `${method} ${path} HTTP/1.1`,
        'host: localhost',
        ...lines.map(([name, value]) => `${name}: ${value}`),
      ]
      const ready = answer()
      worker.postMessage({ host, port: Number(port), head: `${head.join('\r\n')}\r\n\r\n`, bytes })
      await ready
      await turn()
      const replied = answer()
      const [before, held] = [threadMs(), heldBytes()]
      worker.postMessage({})
      const { status, text } = (await replied) as { status: number; text: string }
      return { status, text, ms: threadMs() - before, megabytes: (heldBytes() - held) / MB }
    },
    close: () => worker.terminate(),
  }
}

/** Short work is measured several times: the clock of a thread may be coarse. */
const MEASURED_MS = 20
const ROUNDS_MAX = 50

/** What parsing a text alone costs. */
export function parsingMs(bytes: Buffer, measuredMs = MEASURED_MS): number {
  const before = threadMs()
  let rounds = 0
  while (rounds < ROUNDS_MAX && threadMs() - before < measuredMs) {
    rounds += 1
    try {
      JSON.parse(String(bytes))
    } catch {
      // What is no JSON costs until it is seen.
    }
  }
  return (threadMs() - before) / rounds
}

const STANDARD = Buffer.from(
  JSON.stringify(Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`k${index}`, 0]))),
)
/** What parsing it takes on two cores that nobody else uses. */
const STANDARD_MS = 9
const SPEED_MEASURED_MS = 100

/**
 * How many times as long the same work takes as on a quiet machine, at least 1: a core whose other half a
 * neighbour uses needs more of a thread's time for it, too.
 */
export const slowness = (): number => Math.max(1, parsingMs(STANDARD, SPEED_MEASURED_MS) / STANDARD_MS)

export const median = (of: number[]): number =>
  of.toSorted((a, b) => a - b)[Math.floor(of.length / 2)] ?? Number.NaN

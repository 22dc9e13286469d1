import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import type { EmbeddedCommand, EmbeddedEvent, EmbeddedWorkerData } from './embedded-protocol.ts'
import { openPglite } from './pglite.ts'

interface Request {
  port: MessagePort
  bytes: Uint8Array | null
}

const HEADER_LENGTH = 5
const NOTIFICATION = 'A'.charCodeAt(0)
const READY_FOR_QUERY = 'Z'.charCodeAt(0)

const RESET_SESSION = ['deallocate all', 'reset all', 'select pg_advisory_unlock_all()']

const { directory, fsync } = workerData as EmbeddedWorkerData
const ports = new Set<MessagePort>()
const listenOnlyPorts = new Set<MessagePort>()
const waiting: Request[] = []
/** The port that has the session; listeners don't count. */
let client: MessagePort | null = null
let owner: MessagePort | null = null
let serving = Promise.resolve()
let exitReason: string | null = null
let closing = false

const pglite = await openPglite({
  directory,
  fsync,
  onExit: (reason) => {
    exitReason = reason
  },
})

async function execute(bytes: Uint8Array) {
  const chunks: Uint8Array[] = []
  await pglite.execProtocolRawStream(bytes, {
    syncToFs: false,
    onRawData: (chunk) => chunks.push(chunk.slice()),
  })
  if (exitReason !== null) throw new Error(`PostgreSQL ended: ${exitReason}`)
  const split = splitReply(chunks)
  for (const notification of split.notifications) {
    for (const port of ports) port.postMessage(notification)
  }
  return split
}

async function answer({ port, bytes }: { port: MessagePort; bytes: Uint8Array }) {
  const { reply, status } = await execute(bytes)
  if (status !== null) owner = status === 'I' ? null : port
  port.postMessage(reply, [reply.buffer])
}

async function forget(port: MessagePort) {
  if (owner === port) {
    await execute(encodeQuery('rollback'))
    owner = null
  }
  if (listenOnlyPorts.delete(port)) return
  // Session state outlives the client here, where a server would end the session.
  for (const statement of RESET_SESSION) await execute(encodeQuery(statement))
}

/** There is one session: a port inside a transaction keeps it until it is idle again. */
function takeNext(): Request | undefined {
  const index = waiting.findIndex(({ port }) => owner === null || port === owner)
  return index < 0 ? undefined : waiting.splice(index, 1)[0]
}

async function serveWaiting() {
  for (let next = takeNext(); next !== undefined; next = takeNext()) {
    const { port, bytes } = next
    if (bytes === null) await forget(port)
    else await answer({ port, bytes })
  }
}

function enqueue(request: Request) {
  if (closing) return
  waiting.push(request)
  serving = serving.then(serveWaiting)
}

async function close() {
  closing = true
  await serving
  if (owner !== null) await execute(encodeQuery('rollback'))
  await pglite.close()
  post('closed')
  for (const port of ports) port.close()
}

function post(event: EmbeddedEvent) {
  parentPort?.postMessage(event)
}

parentPort?.on('message', async (command: EmbeddedCommand) => {
  if (command === 'close') return close()
  const { port, listenOnly } = command
  ports.add(port)
  if (listenOnly) listenOnlyPorts.add(port)
  else {
    // The previous client is gone, but its port may report that only after this one's first message.
    if (client !== null) disconnect(client)
    client = port
  }
  port.on('message', (bytes: Uint8Array) => ports.has(port) && enqueue({ port, bytes }))
  port.on('close', () => disconnect(port))
})

function disconnect(port: MessagePort) {
  if (ports.delete(port)) enqueue({ port, bytes: null })
}

post('ready')

interface SplitReply {
  reply: Uint8Array<ArrayBuffer>
  notifications: Uint8Array<ArrayBuffer>[]
  /** Of the last ReadyForQuery: I idle, T in a transaction, E in a failed one. */
  status: string | null
}

function splitReply(chunks: Uint8Array[]): SplitReply {
  const bytes = Buffer.concat(chunks)
  const kept: Uint8Array[] = []
  const notifications: Uint8Array<ArrayBuffer>[] = []
  let status: string | null = null
  let start = 0
  while (start + HEADER_LENGTH <= bytes.length) {
    const end = start + 1 + bytes.readUInt32BE(start + 1)
    const message = bytes.subarray(start, end)
    if (message[0] === NOTIFICATION) notifications.push(Uint8Array.from(message))
    else kept.push(message)
    if (message[0] === READY_FOR_QUERY) status = String.fromCharCode(message[HEADER_LENGTH] ?? 0)
    start = end
  }
  return { reply: Uint8Array.from(Buffer.concat(kept)), notifications, status }
}

function encodeQuery(sql: string): Uint8Array {
  const text = Buffer.from(`${sql}\0`)
  const message = Buffer.alloc(HEADER_LENGTH + text.length)
  message.write('Q')
  message.writeUInt32BE(4 + text.length, 1)
  text.copy(message, HEADER_LENGTH)
  return message
}

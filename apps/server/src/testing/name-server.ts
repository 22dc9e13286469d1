import { createSocket } from 'node:dgram'
import { isIPv4 } from 'node:net'

const HEADER_BYTES = 12
const TYPES: Record<number, 4 | 6> = { 1: 4, 28: 6 }
const NO_SUCH_NAME = 0x8183
const ANSWERED = 0x8180

/** What the server says of a name: its addresses, that there is none, or nothing at all. */
type Answer = string[] | 'unknown' | 'silence'

export type NameServer = Awaited<ReturnType<typeof serveNames>>

/** A name server on a free port of this machine. */
export async function serveNames(answer: (name: string) => Answer) {
  const socket = createSocket('udp4')
  const asked: string[] = []
  socket.on('message', (query, { port, address }) => {
    const { name, type, question } = readQuestion(query)
    asked.push(`${name} ${type === 28 ? 'AAAA' : 'A'}`)
    const found = answer(name)
    if (found === 'silence') return
    const family = TYPES[type]
    const addresses = found === 'unknown' ? [] : found.filter((one) => isIPv4(one) === (family === 4))
    const header = Buffer.alloc(HEADER_BYTES)
    header.writeUInt16BE(query.readUInt16BE(0), 0)
    header.writeUInt16BE(found === 'unknown' ? NO_SUCH_NAME : ANSWERED, 2)
    header.writeUInt16BE(1, 4)
    header.writeUInt16BE(addresses.length, 6)
    const records = addresses.map((one) => toRecord(type, one))
    socket.send(Buffer.concat([header, question, ...records]), port, address)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  return {
    server: `127.0.0.1:${socket.address().port}`,
    /** Each question so far: name and type. */
    asked,
    close: () => new Promise<void>((resolve) => void socket.close(() => resolve())),
  }
}

function readQuestion(query: Buffer) {
  const labels: string[] = []
  let at = HEADER_BYTES
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return {
    name: labels.join('.'),
    type: query.readUInt16BE(at + 1),
    question: query.subarray(HEADER_BYTES, at + 5),
  }
}

function toRecord(type: number, address: string): Buffer {
  const data = isIPv4(address) ? Buffer.from(address.split('.').map(Number)) : toBytes(address)
  const head = Buffer.alloc(12)
  // The name is the question's.
  head.writeUInt16BE(0xc00c, 0)
  head.writeUInt16BE(type, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt32BE(60, 6)
  head.writeUInt16BE(data.length, 10)
  return Buffer.concat([head, data])
}

/** An IPv6 address with all eight groups. */
function toBytes(address: string): Buffer {
  return Buffer.from(
    address
      .split(':')
      .map((group) => group.padStart(4, '0'))
      .join(''),
    'hex',
  )
}

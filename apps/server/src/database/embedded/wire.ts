interface SplitReply {
  reply: Uint8Array<ArrayBuffer>
  notifications: Uint8Array<ArrayBuffer>[]
  /** Of the last ReadyForQuery: I idle, T in a transaction, E in a failed one. */
  status: string | null
}

const HEADER_LENGTH = 5
const NOTIFICATION = 'A'.charCodeAt(0)
const READY_FOR_QUERY = 'Z'.charCodeAt(0)

export function splitReply(chunks: Uint8Array[]): SplitReply {
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

export function encodeQuery(sql: string): Uint8Array {
  const text = Buffer.from(`${sql}\0`)
  const message = Buffer.alloc(HEADER_LENGTH + text.length)
  message.write('Q')
  message.writeUInt32BE(4 + text.length, 1)
  text.copy(message, HEADER_LENGTH)
  return message
}

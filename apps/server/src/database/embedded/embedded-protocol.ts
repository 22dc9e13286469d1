import type { MessagePort } from 'node:worker_threads'

export interface EmbeddedWorkerData {
  directory: string
  fsync: boolean
}

/** From the main thread: a new client's end of the wire, or the order to close. */
export type EmbeddedCommand = { port: MessagePort; listenOnly: boolean } | 'close'

export type EmbeddedEvent = 'ready' | 'closed'

import type { MessagePort } from 'node:worker_threads'

export interface EmbeddedWorkerData {
  directory: string
  fsync: boolean
}

export type EmbeddedCommand = { port: MessagePort; listenOnly: boolean } | 'close'

export type EmbeddedEvent = 'ready' | 'closed'

import { chmodSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { json } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import type { Log } from '../log/log.ts'
import { CONTROL_HEADERS, CONTROL_PATH_MAX, controlPathOf } from './control-path.ts'

export type ControlTask = (request: unknown, send: (bytes: Readable) => Promise<void>) => Promise<void>

interface ControlOptions {
  dataDir: string
  tasks: Record<string, ControlTask>
  explain: (error: unknown) => string
  log: Log
}

/** A command that takes nothing for so long is gone. */
const SILENCE_MS = 60_000

/**
 * Listens to commands of this machine through a socket in the data directory, which only its owner opens; the caller
 * holds that directory's lock. Without a place for a socket it only says so. The result ends it.
 */
export async function serveControl(options: ControlOptions): Promise<{ close: () => Promise<void> }> {
  const { dataDir, log } = options
  const path = controlPathOf(dataDir)
  if (path === undefined) {
    log.warn({ dataDir }, `DATA_DIR is longer than ${CONTROL_PATH_MAX}: commands can’t reach this process`)
    return { close: async () => {} }
  }
  const server = createServer((request, response) => void answer({ ...options, request, response }))
  server.on('clientError', (_error, socket) => socket.destroy())
  server.setTimeout(SILENCE_MS, (socket) => socket.destroy())
  // One that a killed process left; the lock says that nobody listens.
  rmSync(path, { force: true })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, () => {
      chmodSync(path, 0o600)
      resolve()
    })
  })
  server.unref()
  return {
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
      rmSync(path, { force: true })
    },
  }
}

interface Answering extends ControlOptions {
  request: IncomingMessage
  response: ServerResponse
}

async function answer({ tasks, explain, log, request, response }: Answering): Promise<void> {
  const name = request.url?.slice(1) ?? ''
  try {
    const task = Object.hasOwn(tasks, name) ? tasks[name] : undefined
    if (task === undefined || request.method !== 'POST') {
      response
        .writeHead(404)
        .end(JSON.stringify({ error: `This version of Catenary has no command ${name}` }))
      return
    }
    await task(await json(request), async (bytes) => {
      response.writeHead(200, CONTROL_HEADERS)
      await pipeline(bytes, response)
    })
    if (!response.writableEnded) response.end()
  } catch (error) {
    log.warn({ err: error, command: name }, 'a command failed')
    if (response.headersSent) response.destroy()
    else response.writeHead(500).end(JSON.stringify({ error: explain(error) }))
  }
}

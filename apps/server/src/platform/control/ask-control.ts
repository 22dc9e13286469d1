import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { StartError } from '../../errors.ts'
import { controlPathOf } from './control-path.ts'

const GONE = new Set(['ENOENT', 'ECONNREFUSED', 'ECONNRESET'])

/**
 * Asks the program that has the data directory; the answer's bytes end with an error where the program did not send
 * all of them. Throws StartError, with its own words for what fails there.
 */
export async function askControl({
  dataDir,
  command,
  options,
}: {
  dataDir: string
  command: string
  options: object
}): Promise<Readable> {
  const socketPath = controlPathOf(dataDir)
  if (socketPath === undefined) {
    throw new StartError(
      `Catenary is running, but ${dataDir} is too long a path for its control socket. Stop it, and try again.`,
    )
  }
  const asked = request({ socketPath, method: 'POST', path: `/${command}` })
  asked.end(JSON.stringify(options))
  const reply: IncomingMessage = await once(asked, 'response').then(
    ([response]) => response,
    (error: NodeJS.ErrnoException) => {
      if (!GONE.has(error.code ?? '')) throw error
      throw new StartError(
        `Catenary has ${dataDir} open but does not answer at ${socketPath}: it is starting or stopping, or it is an earlier version. ` +
          'Try again in a moment, or stop it first.',
      )
    },
  )
  if (reply.statusCode === 200) return reply
  throw new StartError(readError(await text(reply)))
}

function readError(body: string): string {
  try {
    return String(JSON.parse(body).error)
  } catch {
    return 'Catenary gave no reason.'
  }
}

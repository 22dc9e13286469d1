import type * as z from 'zod'
import { StartError } from '../../errors.ts'
import { askServer, ReplyTooLongError, type ServerReply } from '../../platform/outbound/ask-server.ts'
import { readServerEnvironment } from '../../platform/settings/settings.ts'
import type { ServerOptions } from './server-options.ts'
import { printable } from './show.ts'

const TIMEOUT_MS = 600_000
const MAX_BYTES = 512 * 1024 * 1024
const SHOWN = 20

export interface ServerClient {
  readFile: (path: string) => Promise<Buffer>
  read: <Schema extends z.ZodType>(path: string, schema: Schema) => Promise<z.output<Schema>>
  send: <Schema extends z.ZodType>(path: string, body: object, schema: Schema) => Promise<z.output<Schema>>
}

export function createServerClient({ url: given }: ServerOptions): ServerClient {
  const { CATENARY_URL, CATENARY_TOKEN: token = '' } = readServerEnvironment()
  const base = readAddress(given ?? CATENARY_URL)
  if (token === '') {
    throw new StartError('Set CATENARY_TOKEN to a folder token. You can create one on the Connect page.')
  }

  async function ask(path: string, body?: object): Promise<ServerReply> {
    const url = new URL(path.replace(/^\//, ''), base)
    const reply = await askServer({
      url,
      token,
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
      ...(body && { body }),
    }).catch((error: unknown) => {
      throw unreached(error, base)
    })
    if (reply.status >= 200 && reply.status < 300) return reply
    throw refused(reply, base)
  }

  const parse = <Schema extends z.ZodType>({ bytes }: ServerReply, schema: Schema): z.output<Schema> => {
    const read = schema.safeParse(readJson(bytes))
    if (read.success) return read.data
    throw new StartError(
      `${base.origin} sent an answer that this version of the command does not understand.`,
    )
  }

  return {
    readFile: async (path) => (await ask(path)).bytes,
    read: async (path, schema) => parse(await ask(path), schema),
    send: async (path, body, schema) => parse(await ask(path, body), schema),
  }
}

function readAddress(text: string | undefined): URL {
  if (text === undefined || text === '') {
    throw new StartError('Name the server: set CATENARY_URL, or add --url https://catenary.example.org')
  }
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    throw new StartError(
      `${text.slice(0, 200)} is not a server’s address, such as https://catenary.example.org`,
    )
  }
  if (!url.pathname.endsWith('/')) url.pathname += '/'
  url.search = ''
  return url
}

function unreached(error: unknown, { origin }: URL): StartError {
  if (error instanceof ReplyTooLongError) return new StartError(`${origin} sent more than a folder can have.`)
  const { code, name, message } = error as Error & { code?: string }
  if (name === 'TimeoutError') return new StartError(`${origin} did not answer in time.`)
  return new StartError(`${origin} can’t be reached: ${code ?? message}`)
}

interface Refusal {
  error?: unknown
  details?: unknown
}

function refused({ status, bytes }: ServerReply, { origin }: URL): StartError {
  const { error, details } = (readJson(bytes) ?? {}) as Refusal
  if (typeof error !== 'string')
    return new StartError(`${origin} answered with status ${status}. Is it Catenary?`)
  const others = Array.isArray(details)
    ? details.flatMap((each: { message?: unknown }) =>
        typeof each?.message === 'string' ? each.message : [],
      )
    : []
  const lines = others.filter((line) => line !== error)
  const more = lines.length > SHOWN ? [`and ${lines.length - SHOWN} more`] : []
  return new StartError(printable([error, ...lines.slice(0, SHOWN), ...more].join(' · ')))
}

function readJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return undefined
  }
}

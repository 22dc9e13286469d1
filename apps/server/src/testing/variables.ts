import type { RequestListener } from 'node:http'
import type { DatabaseClient } from '../db/client.ts'
import type { Database } from '../db/executor.ts'
import { googleDriveSlot } from '../features/google-drive/google-drive.ts'
import { type ResolveRequest, resolveVariables } from '../features/variables/resolve-variables.ts'
import { readContent } from '../features/variables/show-value.ts'
import { type Context, createContext } from '../platform/context.ts'
import { createOutbound, type Outbound } from '../platform/outbound/outbound.ts'
import { startLibrary } from './library.ts'
import { serveHttp } from './local-server.ts'

/** How long a fetch of these tests may take. */
const DEADLINE_MS = 2000

interface Around {
  deadlineMs?: number
  outbound?: Pick<Outbound, 'fetchText'>
  readDriveFile?: Parameters<typeof googleDriveSlot.fill>[1]['readDriveFile']
}

/** The values as the app reads them, for what no call of it shows. */
export function valuesOf(app: Context<Database>, { deadlineMs, outbound, readDriveFile }: Around = {}) {
  const ctx = createContext({ ...app, outbound: { ...app.outbound, ...outbound } })
  googleDriveSlot.fill(ctx, {
    readDriveFile: readDriveFile ?? (() => Promise.reject(new Error('No Drive is expected'))),
  })
  return {
    resolve: (wanted: ResolveRequest) => resolveVariables(ctx, { deadlineMs, ...wanted }),
    content: (wanted: Parameters<typeof readContent>[1]) => readContent(ctx, wanted),
  }
}

/** A library whose API variables may reach a private address: `api`, a server of the test's own. */
export async function startLibraryWithApi(
  kind: DatabaseClient['kind'],
  { listener, ...options }: { listener: RequestListener } & NonNullable<Parameters<typeof startLibrary>[1]>,
) {
  const server = await serveHttp(listener)
  const allowHosts = [`127.0.0.1:${server.port}`, `localhost:${server.port}`]
  const outbound = createOutbound({ allowHosts, deadlineMs: DEADLINE_MS })
  const library = await startLibrary(kind, { outbound, ...options })
  return {
    ...library,
    outbound,
    api: `http://127.0.0.1:${server.port}`,
    /** Requests that have reached the server. */
    hits: server.hits,
    close: async () => {
      await library.close()
      await server.close()
    },
  }
}

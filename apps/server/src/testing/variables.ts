import type { RequestListener } from 'node:http'
import type { DatabaseClient } from '../database/open/client.ts'
import type { Database } from '../database/statements/executor.ts'
import { requireGoogle, storeConnection } from '../features/google-drive/drive-access.ts'
import { type ResolveRequest, resolveVariables } from '../features/variables/resolve-variables.ts'
import { readContent } from '../features/variables/show-value.ts'
import { type Context, createContext } from '../platform/context.ts'
import { createOutbound, type Outbound } from '../platform/outbound/outbound.ts'
import { startLibrary } from './library.ts'
import { serveHttp } from './local-server.ts'

/** How long a fetch of these tests may take. */
const DEADLINE_MS = 2000

interface DriveFile {
  ownerId: number
  fileId: string
  signal: AbortSignal | undefined
}

interface Around {
  deadlineMs?: number
  outbound?: Pick<Outbound, 'fetchText'>
  /** In place of Google; owners connect their Drive before. Absent: no Drive is set up. */
  readDriveFile?: (file: DriveFile) => Promise<{ text: string }>
}

/** Nobody is asked there. */
const GOOGLE = {
  clientId: 'client',
  clientSecret: 'secret',
  oauthUrl: 'https://google.invalid/oauth',
  tokenUrl: 'https://google.invalid/token',
  driveUrl: 'https://google.invalid/drive',
}

/** Has a person connect a Drive, whose access token is their id. */
export function connectDrive(ctx: Context, userId: number): Promise<void> {
  const granted = {
    accessToken: String(userId),
    refreshToken: 'refresh',
    lifeSeconds: 3_600,
    scopes: undefined,
  }
  return storeConnection(ctx, { userId, email: 'drive@example.org', granted, refreshToken: 'refresh' })
}

/** The values as the app reads them, for what no call of it shows. */
export function valuesOf(app: Context<Database>, { deadlineMs, outbound, readDriveFile }: Around = {}) {
  const settings = readDriveFile === undefined ? app.settings : { ...app.settings, google: GOOGLE }
  const ctx = createContext({ ...app, settings, outbound: { ...app.outbound, ...outbound } })
  if (readDriveFile !== undefined) {
    requireGoogle(ctx).drive.read = async ({ fileId, accessToken, signal }) => {
      const { text } = await readDriveFile({ ownerId: Number(accessToken), fileId, signal })
      return { name: fileId, text }
    }
  }
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

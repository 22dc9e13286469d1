import type { RequestListener } from 'node:http'
import type { DatabaseClient } from '../db/client.ts'
import type { Database } from '../db/executor.ts'
import { createFilesService } from '../features/files/files.service.ts'
import { type ResolveRequest, resolveVariables } from '../features/variables/operations/resolve-values.ts'
import { readContent } from '../features/variables/operations/show-value.ts'
import { createHeaderVault } from '../features/variables/variable-headers.ts'
import {
  createVariableValues,
  type VariableValuesOptions,
} from '../features/variables/variable-values-deps.ts'
import { createOwnWindows } from '../platform/limits/windows.ts'
import { createLog } from '../platform/log/log.ts'
import { createOutbound } from '../platform/outbound/outbound.ts'
import { createSecretBox } from '../platform/secrets/secret-box.ts'
import { TEST_SECRET_KEY } from './harness.ts'
import { startLibrary } from './library.ts'
import { serveHttp } from './local-server.ts'

/** How long a fetch of these tests may take. */
const DEADLINE_MS = 2000

/** The values as `buildApp` reads them, for what no call of the app shows. */
export function createTestVariables({ db, ...deps }: { db: Database } & Partial<VariableValuesOptions>) {
  const now = deps.now ?? (() => new Date())
  const values = createVariableValues({
    db,
    now,
    windows: createOwnWindows,
    log: createLog({ level: 'silent' }),
    files: { ...createFilesService({ db, now }), readMedia: async () => undefined },
    headers: createHeaderVault({ secrets: createSecretBox(TEST_SECRET_KEY) }),
    outbound: createOutbound({ allowHosts: [] }),
    ...deps,
  })
  return {
    resolve: (wanted: ResolveRequest) => resolveVariables(values, wanted),
    content: (wanted: Parameters<typeof readContent>[1]) => readContent(values, wanted),
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

import type { RequestListener } from 'node:http'
import type { DatabaseClient } from '../db/client.ts'
import type { Database } from '../db/executor.ts'
import { createChainReferencesService } from '../features/chains/chain-references.service.ts'
import { createFilesService } from '../features/files/files.service.ts'
import { createPromptReferencesService } from '../features/prompts/prompt-references.service.ts'
import { createTagsService } from '../features/tags/tags.service.ts'
import { createVariablesService, type VariablesDeps } from '../features/variables/variables.service.ts'
import { createLog } from '../platform/log/log.ts'
import { createOutbound } from '../platform/outbound/outbound.ts'
import { createSecretBox } from '../platform/secrets/secret-box.ts'
import { TEST_SECRET_KEY } from './harness.ts'
import { startLibrary } from './library.ts'
import { serveHttp } from './local-server.ts'

/** How long a fetch of these tests may take. */
const DEADLINE_MS = 2000

/** The service as `buildApp` makes it, for what no call of the app shows. */
export function createTestVariables({ db, ...deps }: { db: Database } & Partial<VariablesDeps>) {
  const now = deps.now ?? (() => new Date())
  return createVariablesService({
    db,
    rowChanges: { isListening: false, subscribe: () => undefined },
    now,
    log: createLog({ level: 'silent' }),
    tags: createTagsService({ db }),
    files: createFilesService({ db, now }),
    secrets: createSecretBox(TEST_SECRET_KEY),
    outbound: createOutbound({ allowHosts: [] }),
    prompts: createPromptReferencesService({ db }),
    chains: createChainReferencesService({ db }),
    ...deps,
  })
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

import type { HttpApp } from '../platform/http/routes.ts'
import { createHttpServer, type HttpOptions } from '../platform/http/server.ts'
import { createLog } from '../platform/log/log.ts'

/** The HTTP server with what holds for each route and none of the features; nobody is signed in. */
export function createBareHttp(options: Partial<HttpOptions> = {}): Promise<HttpApp> {
  return createHttpServer({
    log: createLog({ level: 'silent' }),
    publicUrl: 'http://localhost',
    corsOrigins: [],
    trustProxy: 0,
    allowedHosts: [],
    findUser: async () => null,
    idempotency: { begin: () => Promise.reject(new Error('unused')) },
    endCalls: async () => {},
    ...options,
  })
}

import { readFile } from 'node:fs/promises'
import path from 'node:path'
import staticFiles from '@fastify/static'
import type { FastifyReply } from 'fastify'
import type { HttpApp } from './routes.ts'

const NONCE_PLACEHOLDER = '__CSP_NONCE__'
const SERVER_PATHS = /^\/(api|v1|assets|healthz|readyz|metrics)(\/|$)/

/** Serves the built web app; a path that is not a file and not the server's own is the app's to route. */
export async function serveWebApp(app: HttpApp, { directory }: { directory: string }): Promise<void> {
  const page = await readFile(path.join(directory, 'index.html'), 'utf8')
  const sendPage = (reply: FastifyReply): FastifyReply =>
    reply
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-store')
      .send(page.replaceAll(NONCE_PLACEHOLDER, reply.cspNonce.style))
  await app.register(staticFiles, {
    root: directory,
    index: false,
    wildcard: true,
    preCompressed: true,
    setHeaders: (response, file) => {
      const hashed = file.includes(`${path.sep}assets${path.sep}`)
      response.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache')
    },
  })
  app.get('/', { schema: { hide: true } }, (_request, reply) => sendPage(reply))
  app.get('/index.html', { schema: { hide: true } }, (_request, reply) => sendPage(reply))
  app.addHook('preHandler', async (request, reply) => {
    if (request.is404 && request.method === 'GET' && !SERVER_PATHS.test(request.url)) return sendPage(reply)
    return undefined
  })
}

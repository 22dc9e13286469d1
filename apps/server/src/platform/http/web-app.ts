import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { PageData } from '@catenary/contracts'
import staticFiles from '@fastify/static'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { HttpApp } from './routes.ts'
import { allowOwnStyles } from './security/security-headers.ts'
import { optionalUser, toHeaders } from './session.ts'

const NONCE_PLACEHOLDER = '__CSP_NONCE__'
/** JSON as it stands, so that the page is well-formed before the server fills it. */
const DATA_PLACEHOLDER = '"__PAGE_DATA__"'
/** What programs alone ask for: never a page. */
const SERVER_PATHS = /^\/(api|v1|mcp|assets|healthz|readyz|metrics)(\/|$)/
const PAGE_PATHS: ReadonlySet<string> = new Set([
  'api-access',
  'asks',
  'auth',
  'chains',
  'connect',
  'docs',
  'edit',
  'evaluations',
  'execute',
  'prompts',
  'settings',
  'usage',
  'variables',
])
/** Of a file, or of a folder that is no person's to look into. */
const HAS_DOT_NAME = /\/\.|\.[A-Za-z0-9]+$/
/** Pages that also name the modules that their path begins with. */
const DOORS = { '/': 'library.html', '/auth': 'auth.html' }
const ADMIN_PAGE = 'test-dashboard.html'

export interface WebAppOptions {
  directory: string
  describePage: (headers: Headers) => Promise<PageData>
}

/** Names the build of the web app in that directory: its page names all that belongs to it. Empty without one. */
export async function readBuild(directory: string | undefined): Promise<string> {
  const page = path.join(directory ?? '', 'index.html')
  if (directory === undefined || !existsSync(page)) return ''
  return createHash('sha256')
    .update(await readFile(page))
    .digest('hex')
    .slice(0, 16)
}

/** Serves the built web app; a path that is no file is a page, or nothing to programs. */
export async function serveWebApp(app: HttpApp, { directory, describePage }: WebAppOptions): Promise<void> {
  const read = (file: string) => readFile(path.join(directory, file), 'utf8')
  const page = await read('index.html')
  const doors = new Map<string, string>()
  for (const [address, file] of Object.entries(DOORS))
    if (existsSync(path.join(directory, file))) doors.set(address, await read(file))
  const sendApp = async (request: FastifyRequest, reply: FastifyReply) => {
    const html = doors.get(request.url.split('?', 1)[0] ?? '') ?? page
    const data = JSON.stringify(await describePage(toHeaders(request)))
    // Nothing in the data can end the script element that holds it.
    return sendPage({ page: html.replace(DATA_PLACEHOLDER, () => data.replaceAll('<', '\\u003c')), reply })
  }
  await app.register(staticFiles, {
    root: directory,
    index: false,
    wildcard: true,
    preCompressed: true,
    // Pages carry a nonce, and one is for admins only: none goes out as the file that it is.
    allowedPath: (file) => !/\.html?$/i.test(file),
    setHeaders: (response, file) => {
      const hashed = file.includes(`${path.sep}assets${path.sep}`)
      response.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache')
    },
  })
  app.get('/', { schema: { hide: true } }, (request, reply) => sendApp(request, reply))
  app.get('/index.html', { schema: { hide: true } }, (request, reply) => sendApp(request, reply))
  const adminPage = path.join(directory, ADMIN_PAGE)
  if (existsSync(adminPage)) await serveAdminPage(app, { page: await read(ADMIN_PAGE) })
  app.addHook('preHandler', async (request, reply) => {
    if (!request.is404 || request.method !== 'GET') return
    const path = request.url.split('?', 1)[0] ?? ''
    if (isPage(path)) return sendApp(request, reply)
    // The app says to a person that there is no such page.
    if (isForPeople(path, request)) return sendApp(request, reply.code(404))
  })
}

const isPage = (path: string): boolean => PAGE_PATHS.has(path.split('/')[1] ?? '')

/** A browser's address line asks for a page by name; programs take anything, or JSON. */
function isForPeople(path: string, { headers }: FastifyRequest): boolean {
  const wantsPage = headers.accept?.includes('text/html') === true
  return wantsPage && !SERVER_PATHS.test(path) && !HAS_DOT_NAME.test(path)
}

async function serveAdminPage(app: HttpApp, { page }: { page: string }): Promise<void> {
  app.get(`/${ADMIN_PAGE}`, { schema: { hide: true } }, async (request, reply) => {
    reply.header('cache-control', 'no-store')
    const user = await optionalUser(request)
    if (user === null) return reply.redirect('/auth')
    if (user.role === 'admin') return sendPage({ page, reply })
    return reply.code(403).type('text/plain; charset=utf-8').send('This page is for administrators.')
  })
}

function sendPage({ page, reply }: { page: string; reply: FastifyReply }): FastifyReply {
  return reply
    .type('text/html; charset=utf-8')
    .header('cache-control', 'no-store')
    .send(page.replaceAll(NONCE_PLACEHOLDER, allowOwnStyles(reply)))
}

import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { freePort } from '../../apps/server/src/testing/free-port.ts'
import { TEST_CERTIFICATE } from '../../apps/server/src/testing/test-certificate.ts'

const run = promisify(execFile)
const snippets = join(import.meta.dirname, '../../deploy/proxy')
const NAME = 'catenary.example.org'
const START_MS = 30_000

export const proxyKinds = ['nginx', 'caddy', 'haproxy'] as const
export type ProxyKind = (typeof proxyKinds)[number]

interface Place {
  folder: string
  http: number
  https: number
  /** The program's. */
  port: number
}

interface Recipe {
  file: string
  debianPackage: string
  /** The shipped snippet at other ports, with the certificate of the tests. */
  adapt: (snippet: string, place: Place) => string
  args: (folder: string) => string[]
}

const toPorts = (text: string, { http, https, port }: Place) =>
  text
    .replaceAll(NAME, 'localhost')
    .replaceAll('127.0.0.1:3000', `127.0.0.1:${port}`)
    .replace(/(listen |bind :)80\b/, `$1${http}`)
    .replace(/(listen |bind :)443\b/, `$1${https}`)

const recipes: Record<ProxyKind, Recipe> = {
  nginx: {
    file: 'nginx.conf',
    debianPackage: 'nginx-light',
    adapt: (snippet, place) => {
      const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
      return `${process.getuid?.() === 0 ? 'user root;' : ''}
        daemon off; pid ${place.folder}/pid; error_log stderr; events {}
        http { access_log off; ${temporary.map((name) => `${name}_temp_path ${place.folder}/${name};`).join(' ')}
        ${toPorts(snippet, place)
          .replace('/etc/ssl/catenary.pem', `${place.folder}/certificate.pem`)
          .replace('/etc/ssl/private/catenary.key', `${place.folder}/key.pem`)} }`
    },
    args: (folder) => ['-e', 'stderr', '-p', folder, '-c', join(folder, 'nginx.conf')],
  },
  caddy: {
    file: 'Caddyfile',
    debianPackage: 'caddy',
    adapt: (snippet, place) => {
      const { folder, http, https } = place
      const tls = `localhost {\n\ttls ${folder}/certificate.pem ${folder}/key.pem`
      const global = `{\n\tadmin off\n\thttp_port ${http}\n\thttps_port ${https}\n\tskip_install_trust\n}\n`
      return global + toPorts(snippet, place).replace('localhost {', tls)
    },
    args: (folder) => ['run', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')],
  },
  haproxy: {
    file: 'haproxy.cfg',
    debianPackage: 'haproxy',
    adapt: (snippet, place) =>
      toPorts(snippet, place).replace('/etc/haproxy/catenary.pem', `${place.folder}/both.pem`),
    args: (folder) => ['-db', '-f', join(folder, 'haproxy.cfg')],
  },
}

export const readSnippet = (kind: ProxyKind) => readFile(join(snippets, recipes[kind].file), 'utf8')

export interface RunningProxy {
  /** Its address, by TLS. */
  url: string
  /** The URL without TLS. */
  plainUrl: string
  /** Who signed its certificate: a file for NODE_EXTRA_CA_CERTS. */
  authority: string
  close(): Promise<void>
}

/** Starts the real proxy with the shipped snippet, before the program of this port. */
export async function startProxy(
  kind: ProxyKind,
  { port, change = (snippet) => snippet }: { port: number; change?: (snippet: string) => string },
): Promise<RunningProxy> {
  const folder = await mkdtemp(join(tmpdir(), 'catenary-proxy-'))
  const { cert, key } = TEST_CERTIFICATE
  const place = { folder, port, http: await freePort(), https: await freePort() }
  const { file, args, adapt } = recipes[kind]
  await writeFile(join(folder, 'certificate.pem'), cert)
  await writeFile(join(folder, 'key.pem'), key)
  await writeFile(join(folder, 'both.pem'), `${cert}\n${key}\n`)
  await writeFile(join(folder, file), adapt(change(await readSnippet(kind)), place))
  const { PATH = '' } = process.env
  const child = spawn(kind, args(folder), {
    cwd: folder,
    env: { PATH: `${PATH}:/usr/sbin`, HOME: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (said += chunk.toString()))
  const close = async () => {
    await end(child)
    await rm(folder, { recursive: true, force: true })
  }
  try {
    await Promise.race([untilAccepts(place.https), failed(child)])
  } catch (error) {
    await close()
    throw new Error(`${kind} did not start.\n${said}`, { cause: error })
  }
  return {
    url: `https://localhost:${place.https}`,
    plainUrl: `http://localhost:${place.http}`,
    authority: join(folder, 'certificate.pem'),
    close,
  }
}

export const installProxies = () =>
  installPackages(Object.fromEntries(proxyKinds.map((kind) => [kind, recipes[kind].debianPackage])))

/** Makes sure that each program exists, by name and Debian package: installed where permitted. */
export async function installPackages(packages: Record<string, string>): Promise<void> {
  const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` }
  const missing: string[] = []
  for (const [name, debianPackage] of Object.entries(packages)) {
    const isThere = await run('which', [name], { env }).then(
      () => true,
      () => false,
    )
    if (!isThere) missing.push(debianPackage)
  }
  if (missing.length === 0) return
  const command = `apt-get install -y --no-install-recommends ${missing.join(' ')}`
  if (process.getuid?.() !== 0) throw new Error(`Programs are missing. Install them: sudo ${command}`)
  // No service is to start by being installed, which invoke-rc.d reads from here.
  const quiet = { ...env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' }
  const [program = '', ...args] = command.split(' ')
  await run(program, ['update'], { env: quiet })
  await run(program, args, { env: quiet })
}

/** Resolves once something listens at this port. */
export async function untilAccepts(port: number): Promise<void> {
  const deadline = Date.now() + START_MS
  while (Date.now() < deadline) {
    const socket = createConnection({ port, host: '127.0.0.1' })
    const accepts = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    if (accepts) return
    await sleep(50)
  }
  throw new Error('it does not listen')
}

async function failed(child: ChildProcess): Promise<never> {
  const code: unknown = await Promise.race([
    once(child, 'exit').then(([exit]) => exit),
    once(child, 'error').then(([error]) => error),
  ])
  throw new Error('it ended', { cause: code })
}

async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  const force = setTimeout(() => child.kill('SIGKILL'), 5_000)
  await exited
  clearTimeout(force)
}

export interface ProxyCall {
  method?: string
  headers?: Record<string, string>
  body?: unknown
  /** An address of this machine to ask from. */
  from?: string
}

/** Asks through the proxy; `times` says when each piece of the reply arrived. */
export async function askThrough(url: string, path: string, { method, headers, body, from }: ProxyCall = {}) {
  const { port, host } = new URL(url)
  const text = body === undefined ? undefined : JSON.stringify(body)
  const call = request({
    ...{ host: '127.0.0.1', port, path, servername: 'localhost', ca: TEST_CERTIFICATE.cert, agent: false },
    method: method ?? (text === undefined ? 'GET' : 'POST'),
    headers: {
      host,
      origin: url,
      ...(text === undefined
        ? {}
        : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
      ...headers,
    },
    ...(from === undefined ? {} : { localAddress: from }),
  })
  call.end(text)
  const [reply] = (await once(call, 'response')) as [IncomingMessage]
  const [times, chunks]: [number[], Buffer[]] = [[], []]
  for await (const chunk of reply as AsyncIterable<Buffer>) {
    times.push(performance.now())
    chunks.push(chunk)
  }
  call.destroy()
  return { status: reply.statusCode, headers: reply.headers, text: Buffer.concat(chunks).toString(), times }
}

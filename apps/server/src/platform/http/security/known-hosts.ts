import type { FastifyInstance, FastifyRequest } from 'fastify'

/** Health checks call the process by its address. */
const EXEMPT = new Set(['/healthz', '/readyz', '/metrics'])
const MAPPED_IPV4 = /^::ffff:/

interface KnownHosts {
  publicUrl: string
  allowedHosts: string[]
}

/**
 * Answers only requests for its own names (D57): another site could point its name at this address, and its pages
 * would then have the same origin. An IP address is accepted if the call arrived at it.
 */
export function refuseForeignHosts(app: FastifyInstance, { publicUrl, allowedHosts }: KnownHosts): void {
  const names = ['localhost', ...allowedHosts].map((host) => nameOf(host) ?? host)
  const known = new Set([new URL(publicUrl).hostname, ...names])
  app.addHook('onRequest', async (request, reply) => {
    if (EXEMPT.has(request.routeOptions.url ?? '')) return
    const name = nameOf(request.host)
    if (name !== undefined && (known.has(name) || name.endsWith('.localhost') || isOwn(name, request))) return
    const example = name ?? 'name.example.org'
    return reply
      .code(421)
      .type('text/plain; charset=utf-8')
      .send(
        `Catenary does not know the address ${name ?? 'that was asked for'}.\n` +
          `The person who runs it can add it to PUBLIC_URL or ALLOWED_HOSTS: ALLOWED_HOSTS=${example}\n`,
      )
  })
}

function nameOf(host: string): string | undefined {
  return URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : undefined
}

function isOwn(name: string, { socket }: FastifyRequest): boolean {
  const address = socket.localAddress?.replace(MAPPED_IPV4, '')
  return address !== undefined && (name === address || name === `[${address}]`)
}

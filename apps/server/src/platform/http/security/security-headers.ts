import { randomBytes } from 'node:crypto'
import helmet from '@fastify/helmet'
import { type FastifyInstance, type FastifyReply, fastify } from 'fastify'

const POLICY = 'content-security-policy'
const STYLES = "style-src 'self'"

/** Puts the same security headers on each reply; helmet rebuilds them each time, so it is asked only once. */
export async function secureReplies(app: FastifyInstance, { secure }: { secure: boolean }): Promise<void> {
  const headers = await askHelmet({ secure })
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers)
    done()
  })
}

export function allowOwnStyles(reply: FastifyReply): string {
  const nonce = createNonce()
  const policy = String(reply.getHeader(POLICY))
  reply.header(POLICY, policy.replace(STYLES, `${STYLES} 'nonce-${nonce}'`))
  return nonce
}

export function createNonce(): string {
  return randomBytes(16).toString('hex')
}

async function askHelmet({ secure }: { secure: boolean }): Promise<Record<string, string>> {
  const app = fastify()
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'", 'data:'],
        fontSrc: ["'self'"],
        connectSrc: ["'self'"],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        ...(secure ? { upgradeInsecureRequests: [] } : {}),
      },
    },
    crossOriginOpenerPolicy: { policy: 'same-origin-allow-popups' },
    strictTransportSecurity: secure,
    referrerPolicy: { policy: 'same-origin' },
  })
  app.get('/', async (_request, reply) => reply.raw.getHeaders())
  const reply = await app.inject('/')
  await app.close()
  return reply.json()
}

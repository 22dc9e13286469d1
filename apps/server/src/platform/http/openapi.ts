import { errorReply } from '@catenary/contracts'
import swagger from '@fastify/swagger'
import { jsonSchemaTransform } from 'fastify-type-provider-zod'
import { type ApiDocument, renderApiPage } from './openapi-page.ts'
import type { HttpApp } from './routes.ts'

const SAFE_METHODS = new Set(['GET', 'HEAD'])

/** What the platform answers on each route by itself. */
const COMMON_REPLIES = { default: errorReply.describe('Any other failure, in the same form.') }
const WRITE_HEADERS = {
  type: 'object',
  properties: {
    'idempotency-key': {
      type: 'string',
      pattern: '^[!-~]{1,200}$',
      description:
        'One a user action: a repeated call with the same key and body gets the first reply again for 24 hours; ' +
        'with another body it is refused with 422.',
    },
  },
}

/** Collects the routes that are added from now on into one OpenAPI 3.1 document. */
export async function describeApi(app: HttpApp, { sessionCookie }: { sessionCookie: string }): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.1',
      info: {
        title: 'Catenary',
        version: '1',
        description:
          'Times are ISO 8601 in UTC, ids are numbers. Every failure is `{error, details?}`. ' +
          'Writes of a browser must come from our own pages or an allowed origin.',
      },
      components: {
        securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: sessionCookie } },
      },
      security: [{ session: [] }, {}],
    },
    transform: (route) => {
      const { schema, url } = route
      const described =
        schema?.hide === true
          ? schema
          : { ...schema, response: { ...Object(schema?.response), ...COMMON_REPLIES } }
      const transformed = jsonSchemaTransform({ ...route, schema: described })
      const methods = [route.route.method].flat()
      const keyed = route.route.config?.idempotency !== 'off' && methods.every((m) => !SAFE_METHODS.has(m))
      return keyed
        ? { url, schema: { ...transformed.schema, headers: WRITE_HEADERS } }
        : (transformed as { schema: object; url: string })
    },
  })
}

/** The document itself, and a page to read it (D4). */
export function serveApiDescription(app: HttpApp): void {
  const hidden = { schema: { hide: true } }
  app.get('/api/openapi.json', hidden, async () => app.swagger())
  app.get('/api/docs', hidden, async (_request, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .send(renderApiPage({ api: app.swagger() as unknown as ApiDocument, nonce: reply.cspNonce.style })),
  )
}

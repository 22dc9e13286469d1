import { docsApi, errorReply } from '@catenary/contracts'
import swagger from '@fastify/swagger'
import type { RouteOptions } from 'fastify'
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod'
import { AppError } from '../../../errors.ts'
import { handlers } from '../endpoints.ts'
import { errorReplies } from '../errors/error-replies.ts'
import type { HttpApp, Routes } from '../routes.ts'
import { allowOwnStyles } from '../security/security-headers.ts'
import { type ApiDocument, renderApiIndex, renderApiSection } from './openapi-page.ts'

const HTML = 'text/html; charset=utf-8'
const SAFE_METHODS = new Set(['GET', 'HEAD'])

const WRITE_HEADERS = {
  type: 'object',
  properties: {
    'idempotency-key': {
      type: 'string',
      pattern: '^[!-~]{1,200}$',
      description:
        'One key per user action: a repeated call with the same key and body gets the first reply again for 24 hours; ' +
        'with a different body it is refused with 422.',
    },
  },
}

export async function describeApi(
  app: HttpApp,
  { sessionCookie, publicUrl }: { sessionCookie: string; publicUrl: string },
): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.1',
      info: {
        title: 'Catenary',
        version: '1',
        license: { name: 'MIT', identifier: 'MIT' },
        description:
          'Times are ISO 8601 in UTC, ids are numbers. Every failure is `{error, details?}`. ' +
          'Writes from a browser must come from Catenary’s own pages or an allowed origin. Lists come in pages of at most 1,000 ' +
          'rows and 2 MB. `X-Total-Count` of the first page says how many there are (`3000+`: more than that). As long ' +
          'as there is an `X-Next-Cursor`, send it as `cursor` to get the next page. Texts in lists are cut off after 500 characters; ' +
          'get the record by id for the full text.',
      },
      servers: [{ url: publicUrl.replace(/\/$/, '') }],
      components: {
        securitySchemes: {
          session: { type: 'apiKey', in: 'cookie', name: sessionCookie },
          token: { type: 'http', scheme: 'bearer', description: 'A token from the Connect page.' },
        },
      },
      security: [{ session: [] }, {}],
    },
    transform: ({ route, schema, ...rest }) => {
      const response = { ...commonReplies(route), ...(schema?.response as object | undefined) }
      const hidden = schema === undefined || schema.hide === true
      const described = hidden ? { hide: true } : { ...schema, response }
      const transformed = jsonSchemaTransform({ ...rest, route, schema: described })
      const headers = isIdempotent(route) ? { headers: WRITE_HEADERS } : {}
      const operationId = operationIdOf(route)
      const raw = schema?.consumes === undefined ? {} : { body: { description: 'Any content.' } }
      return { url: transformed.url, schema: { ...transformed.schema, ...raw, ...headers, operationId } }
    },
    // What refers to itself stands among the components.
    transformObject: jsonSchemaTransformObject,
  })
}

function isWrite({ method }: RouteOptions): boolean {
  return [method].flat().every((one) => !SAFE_METHODS.has(one))
}

function isIdempotent(route: RouteOptions): boolean {
  return isWrite(route) && route.config?.idempotency !== 'off'
}

function commonReplies(route: RouteOptions): Record<string, typeof errorReply> {
  const { body, params, querystring } = route.schema ?? {}
  const hasInput = [body, params, querystring].some((part) => part !== undefined)
  return {
    ...(hasInput ? errorReplies(400) : {}),
    ...(isWrite(route) ? errorReplies(401, 403) : {}),
    ...(params === undefined ? {} : errorReplies(404)),
    ...(body === undefined ? {} : errorReplies(413, 415)),
    ...(isIdempotent(route) ? errorReplies(422) : {}),
    default: errorReply.describe('Any other failure, in the same form.'),
  }
}

/** The document itself, and pages to read it (D4): a section each, as all of it at once is more than a browser shows soon. */
export const apiDescriptionRoutes: Routes = (app, edge) => {
  const describe = () => app.swagger() as unknown as ApiDocument
  const serve = handlers(docsApi, {
    'GET /api/openapi.json': () => app.swagger(),
    'GET /api/docs': (_, { reply }) =>
      reply.type(HTML).send(renderApiIndex({ api: describe(), nonce: allowOwnStyles(reply) })),
    'GET /api/docs/{section}': (_, { params: { section }, reply }) => {
      const page = renderApiSection({ api: describe(), nonce: allowOwnStyles(reply), section })
      if (page === undefined) throw new AppError('not_found', 'The API has no such section')
      return reply.type(HTML).send(page)
    },
  })
  serve(app, edge)
}

const FIELD = /^:/

/** Made of method and path, such as `getPromptsByIdTests`, and stable as long as they are. */
function operationIdOf({ method, url }: Pick<RouteOptions, 'method' | 'url'>): string {
  const words = url
    .split('/')
    .filter((part) => part !== '' && part !== 'api')
    .flatMap((part) => (FIELD.test(part) ? ['by', part.slice(1)] : part.split(/[^A-Za-z0-9]+/)))
  const [first = ''] = [method].flat()
  return first.toLowerCase() + words.map(capitalize).join('')
}

const capitalize = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1)

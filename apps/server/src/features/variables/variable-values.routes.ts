import {
  idParams,
  proxyQuery,
  proxyReply,
  tryAddressRequest,
  variableContent,
  variableContentParams,
  variablePreview,
} from '@catenary/contracts'
import { abortOnDisconnect } from '../../platform/http/event-stream.ts'
import type { HttpApp } from '../../platform/http/routes.ts'
import { sendMedia } from '../../platform/http/send-media.ts'
import { optionalUser, requireUser } from '../../platform/http/session.ts'
import {
  fetchVariable,
  previewVariable,
  readContent,
  readVariableFile,
  tryAddress,
} from './operations/show-value.ts'
import type { VariableValues } from './variable-values-deps.ts'

const FETCHES =
  'What is not stored here is fetched for signed-in people only, at most 120 times a minute (429); a guest gets ' +
  'the text that stands in its place.'

/** Another site must not make this server call out with a person's name and their share of fetches. */
const FETCHING = { crossSiteCheck: true } as const

export function valueRoutes(app: HttpApp, values: VariableValues): void {
  app.get(
    '/api/variables/:id/preview',
    {
      config: FETCHING,
      schema: {
        tags: ['variables'],
        summary: 'Text that shows what the variable holds',
        description: FETCHES,
        params: idParams,
        response: { 200: variablePreview },
      },
    },
    async (request, reply) => {
      const user = await optionalUser(request)
      const signal = abortOnDisconnect(reply)
      return previewVariable(values, { id: request.params.id, user, signal })
    },
  )

  app.get(
    '/api/variables/:idOrName/content',
    {
      config: FETCHING,
      schema: {
        tags: ['variables'],
        summary: "A variable's text, by id or by name",
        description: `Digits are an id first, else a name. Of a name, an own variable, else a public one, an admin's first, then the oldest. ${FETCHES}`,
        params: variableContentParams,
        response: { 200: variableContent },
      },
    },
    async (request, reply) => {
      const user = await optionalUser(request)
      const signal = abortOnDisconnect(reply)
      return readContent(values, { idOrName: request.params.idOrName, user, signal })
    },
  )

  app.get(
    '/api/variables/:id/file',
    { schema: { tags: ['variables'], summary: 'The bytes of its image or PDF', params: idParams } },
    async (request, reply) => {
      const user = await optionalUser(request)
      return sendMedia(reply, await readVariableFile(values, { id: request.params.id, user }))
    },
  )

  app.get(
    '/api/proxy',
    {
      config: FETCHING,
      schema: {
        tags: ['variables'],
        summary: 'Fetch the content of an API variable now',
        description:
          'JSON comes with an indent of two spaces. 400 when url is not the address of the variable, or one that ' +
          'may not be fetched; 502 when what was asked did not give text; 429 after 120 fetches a minute.',
        querystring: proxyQuery,
        response: { 200: proxyReply },
      },
    },
    async (request, reply) => {
      const user = await requireUser(request)
      const signal = abortOnDisconnect(reply)
      reply.header('cache-control', 'no-store')
      return fetchVariable(values, { ...request.query, user, signal })
    },
  )

  app.post(
    '/api/proxy',
    {
      schema: {
        tags: ['variables'],
        summary: 'Try an address before it is saved as an API variable',
        description:
          'Fetches with the headers of the call alone: none that are stored. Bounds and errors are those of GET /api/proxy.',
        body: tryAddressRequest,
        response: { 200: proxyReply },
      },
    },
    async (request, reply) => {
      const user = await requireUser(request)
      const signal = abortOnDisconnect(reply)
      reply.header('cache-control', 'no-store')
      return tryAddress(values, { ...request.body, user, signal })
    },
  )
}

import { acceptPromptsRequest, idParams, listQuery, noContent, promptOffer } from '@catenary/contracts'
import { defineDeleteRoute } from '../../platform/http/delete-route.ts'
import { errorReplies } from '../../platform/http/errors/error-replies.ts'
import { defineListRoute } from '../../platform/http/list-route.ts'
import type { Routes } from '../../platform/http/routes.ts'
import { requireUser } from '../../platform/http/session.ts'
import type { PromptOffersService } from './prompt-offers.service.ts'

export function promptOffersRoutes({ offers }: { offers: PromptOffersService }): Routes {
  return (app) => {
    defineListRoute(app, '/api/prompt-offers', {
      tags: ['tokens'],
      summary: "Others' prompts that your tokens for all prompts reach, or could once you accept them",
      querystring: listQuery,
      item: promptOffer,
      errors: errorReplies(401),
      read: async (call) => offers.list({ user: await requireUser(call), query: call.query }),
    })

    app.post(
      '/api/prompt-acceptances',
      {
        schema: {
          tags: ['tokens'],
          summary: "Accept others' prompts: your tokens for all prompts reach them from now on",
          description:
            'A prompt that its owner changes later stays accepted. One that they stop sharing with you has to be accepted again.',
          body: acceptPromptsRequest,
          response: { 204: noContent, ...errorReplies(404) },
        },
      },
      async (request, reply) => {
        await offers.accept({ ...request.body, user: await requireUser(request) })
        return reply.code(204).send()
      },
    )

    defineDeleteRoute(app, '/api/prompt-acceptances/:id', {
      tags: ['tokens'],
      summary: 'Stop accepting a prompt, by the id of the prompt',
      params: idParams,
      remove: async (call) => offers.takeBack({ id: call.params.id, user: await requireUser(call) }),
    })
  }
}

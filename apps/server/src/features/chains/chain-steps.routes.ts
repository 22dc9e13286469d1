import { chainStep, createStepRequest, idParams } from '@catenary/contracts'
import type { Routes } from '../../platform/http/routes.ts'
import { requireUser } from '../../platform/http/session.ts'
import type { ChainStepsService } from './chain-steps.service.ts'

const STALE = '409 with the current chain as details when the revision is stale.'

export function chainStepsRoutes({ steps }: { steps: ChainStepsService }): Routes {
  return (app) => {
    app.post(
      '/api/chains/:id/steps',
      {
        schema: {
          tags: ['chains'],
          summary: 'Add a step',
          description: STALE,
          params: idParams,
          body: createStepRequest,
          response: { 201: chainStep },
        },
      },
      async (request, reply) => {
        const user = await requireUser(request)
        const { revision, ...fields } = request.body
        return reply.code(201).send(await steps.add({ id: request.params.id, user, revision, fields }))
      },
    )
  }
}

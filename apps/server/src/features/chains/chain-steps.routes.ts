import {
  chain,
  chainStep,
  createStepRequest,
  idParams,
  reorderStepsRequest,
  stepParams,
  updateStepRequest,
} from '@catenary/contracts'
import { defineDeleteRoute } from '../../platform/http/delete-route.ts'
import type { HttpApp, Routes } from '../../platform/http/routes.ts'
import { optionalUser, requireUser } from '../../platform/http/session.ts'
import type { ChainsDeps } from './chains-deps.ts'
import { addStep, deleteStep, duplicateStep, readStep, reorderSteps, updateStep } from './operations/steps.ts'

const STALE = '409 with the current chain as details when the revision is stale.'
const tags = ['chains']

export function chainStepsRoutes(deps: ChainsDeps): Routes {
  return (app) => {
    stepRoutes(app, deps)
    orderRoutes(app, deps)
  }
}

function stepRoutes(app: HttpApp, deps: ChainsDeps): void {
  app.get(
    '/api/chains/:id/steps/:stepId',
    {
      schema: {
        tags,
        summary: 'One step with its whole texts',
        params: stepParams,
        response: { 200: chainStep },
      },
    },
    async (request) => readStep(deps, { ...request.params, user: await optionalUser(request) }),
  )

  app.post(
    '/api/chains/:id/steps',
    {
      schema: {
        tags,
        summary: 'Add a step',
        description: STALE,
        params: idParams,
        body: createStepRequest,
        response: { 201: chainStep },
      },
    },
    async (request, reply) => {
      const user = await requireUser(request)
      const { revision, note, ...fields } = request.body
      return reply
        .code(201)
        .send(await addStep(deps, { id: request.params.id, user, revision, note, fields }))
    },
  )

  app.patch(
    '/api/chains/:id/steps/:stepId',
    {
      schema: {
        tags,
        summary: 'Save a step',
        description: STALE,
        params: stepParams,
        body: updateStepRequest,
        response: { 200: chainStep },
      },
    },
    async (request) => {
      const user = await requireUser(request)
      const { revision, note, ...fields } = request.body
      return updateStep(deps, { ...request.params, user, revision, note, fields })
    },
  )

  defineDeleteRoute(app, '/api/chains/:id/steps/:stepId', {
    tags,
    summary: 'Delete a step',
    params: stepParams,
    remove: async (call) => deleteStep(deps, { ...call.params, user: await requireUser(call) }),
  })
}

function orderRoutes(app: HttpApp, deps: ChainsDeps): void {
  app.post(
    '/api/chains/:id/reorder-steps',
    {
      schema: {
        tags,
        summary: 'Put the steps in a new order',
        description: `The ids of all steps, each once. ${STALE}`,
        params: idParams,
        body: reorderStepsRequest,
        response: { 200: chain },
      },
    },
    async (request) => {
      const user = await requireUser(request)
      return reorderSteps(deps, { id: request.params.id, user, ...request.body })
    },
  )

  app.post(
    '/api/chains/:id/steps/:stepId/duplicate',
    {
      schema: {
        tags,
        summary: 'Copy a step, right after itself and with an output name of its own',
        params: stepParams,
        response: { 201: chainStep },
      },
    },
    async (request, reply) => {
      const user = await requireUser(request)
      return reply.code(201).send(await duplicateStep(deps, { ...request.params, user }))
    },
  )
}

import {
  estimateEvaluationRequest,
  evaluation,
  evaluationCellDetail,
  evaluationCellParams,
  evaluationForecast,
  idParams,
  listEvaluationsQuery,
  listedEvaluation,
  resumeEvaluationRequest,
  startEvaluationRequest,
  versionTests,
  versionTestsQuery,
} from '@catenary/contracts'
import * as z from 'zod'
import { defineDeleteRoute } from '../../platform/http/delete-route.ts'
import { errorReplies } from '../../platform/http/errors/error-replies.ts'
import { defineListRoute } from '../../platform/http/list-route.ts'
import type { HttpApp, Routes } from '../../platform/http/routes.ts'
import { requireUser } from '../../platform/http/session.ts'
import type { EvaluationsDeps } from './evaluations-deps.ts'
import { findCell, findEvaluation, listEvaluations, listVersionTests } from './operations/read-evaluations.ts'
import { estimateEvaluation, resumeEvaluation, startEvaluation } from './operations/start-evaluation.ts'
import { deleteEvaluation, stopEvaluation } from './operations/stop-evaluation.ts'

const tags = ['evaluations']

export function evaluationsRoutes(deps: EvaluationsDeps): Routes {
  return (app) => {
    startRoutes(app, deps)
    readRoutes(app, deps)
    changeRoutes(app, deps)
  }
}

function startRoutes(app: HttpApp, deps: EvaluationsDeps): void {
  app.post(
    '/api/evaluations/estimate',
    {
      schema: {
        tags,
        summary: 'What an evaluation would cost',
        description:
          'From the tokens of past runs where there are any, else from the length of the texts; what models grade is included.',
        body: estimateEvaluationRequest,
        response: { 200: evaluationForecast, ...errorReplies(409) },
      },
    },
    async (request) => {
      const user = await requireUser(request)
      return estimateEvaluation(deps, { user, request: request.body })
    },
  )

  app.post(
    '/api/evaluations',
    {
      schema: {
        tags,
        summary: 'Evaluate versions on the cases of a suite',
        description:
          'For whoever may run the prompt or chain; with their rights, values and money. Tests and targets are frozen. ' +
          'Each cell is an execution, which the ordinary histories leave out. A private value of theirs whose name ' +
          'somebody else brought into the texts needs `fills`, else it is 409 with code `private_values`.',
        body: startEvaluationRequest,
        response: { 201: evaluation, ...errorReplies(409) },
      },
    },
    async (request, reply) => {
      const user = await requireUser(request)
      const { fills = [], ...wanted } = request.body
      const started = await startEvaluation(deps, { user, request: wanted, allowed: { shown: fills } })
      return reply.code(201).send(started)
    },
  )
}

function readRoutes(app: HttpApp, deps: EvaluationsDeps): void {
  defineListRoute(app, '/api/evaluations', {
    tags,
    summary: 'Evaluations of a prompt or chain, newest first',
    description: 'One’s own; for people who may change the prompt or chain everyone’s.',
    querystring: listEvaluationsQuery,
    item: listedEvaluation,
    read: async (call) => listEvaluations(deps, { user: await requireUser(call), query: call.query }),
  })

  app.get(
    '/api/evaluations/versions',
    {
      schema: {
        tags,
        summary: 'What the tests of each version came to',
        description:
          'Of versions that a completed evaluation holds: one’s own; for people who may change the prompt or chain everyone’s.',
        querystring: versionTestsQuery,
        response: { 200: z.array(versionTests) },
      },
    },
    async (request) => listVersionTests(deps, { user: await requireUser(request), query: request.query }),
  )

  app.get(
    '/api/evaluations/:id',
    {
      schema: {
        tags,
        summary: 'An evaluation with all of its cells',
        description:
          'For who started it and who may change the prompt or chain; once it is complete for everyone signed in who ' +
          'sees the prompt or chain.',
        params: idParams,
        response: { 200: evaluation },
      },
    },
    async (request) => findEvaluation(deps, { id: request.params.id, user: await requireUser(request) }),
  )

  app.get(
    '/api/evaluations/:id/cells/:case/:target',
    {
      schema: {
        tags,
        summary: 'A cell with what was found in its answer',
        params: evaluationCellParams,
        response: { 200: evaluationCellDetail },
      },
    },
    async (request) => {
      const { id, case: casePosition, target: targetPosition } = request.params
      const user = await requireUser(request)
      return findCell(deps, { id, user, casePosition, targetPosition })
    },
  )
}

function changeRoutes(app: HttpApp, deps: EvaluationsDeps): void {
  app.post(
    '/api/evaluations/:id/stop',
    {
      schema: {
        tags,
        summary: 'Stop an evaluation',
        description: 'No further cell begins; those under way end. One that has ended stays as it is.',
        params: idParams,
        response: { 200: evaluation },
      },
    },
    async (request) => stopEvaluation(deps, { id: request.params.id, user: await requireUser(request) }),
  )

  app.post(
    '/api/evaluations/:id/resume',
    {
      schema: {
        tags,
        summary: 'Go on with the cells that are left',
        description: 'For who started it. No cell that has ended is asked again.',
        params: idParams,
        body: resumeEvaluationRequest,
        response: { 200: evaluation, ...errorReplies(409) },
      },
    },
    async (request) => {
      const user = await requireUser(request)
      return resumeEvaluation(deps, { id: request.params.id, user, ceilingUsd: request.body?.ceilingUsd })
    },
  )

  defineDeleteRoute(app, '/api/evaluations/:id', {
    tags,
    summary: 'Delete an evaluation with its runs',
    description: 'For who started it, once it does not go on.',
    params: idParams,
    errors: errorReplies(409),
    remove: async (call) => deleteEvaluation(deps, { id: call.params.id, user: await requireUser(call) }),
  })
}

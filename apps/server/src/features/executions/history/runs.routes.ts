import {
  chainExecutionSummary,
  chainHistoryQuery,
  execution,
  executionState,
  idParams,
  listExecutionsQuery,
  noContent,
  pageQuery,
  promptExecution,
} from '@catenary/contracts'
import * as z from 'zod'
import type { Routes } from '../../../platform/http/routes.ts'
import { requireUser } from '../../../platform/http/session.ts'
import type { RunsService } from './runs.service.ts'

/** Runs of prompts and chains alike: one space of ids (D31). */
export function runsRoutes({ runs }: { runs: RunsService }): Routes {
  return (app) => {
    app.get(
      '/api/executions/:id',
      {
        schema: {
          tags: ['executions'],
          summary: 'A run with its steps',
          params: idParams,
          response: { 200: execution },
        },
      },
      async (request) => runs.find({ id: request.params.id, user: await requireUser(request) }),
    )

    app.get(
      '/api/executions/:id/status',
      {
        schema: {
          tags: ['executions'],
          summary: 'The state of a run, without texts',
          params: idParams,
          response: { 200: executionState },
        },
      },
      async (request) => runs.state({ id: request.params.id, user: await requireUser(request) }),
    )

    app.get(
      '/api/chains/:id/executions',
      {
        schema: {
          tags: ['executions'],
          summary: 'History of a chain, newest first',
          params: idParams,
          querystring: chainHistoryQuery,
          response: { 200: z.array(chainExecutionSummary) },
        },
      },
      async (request) => {
        const user = await requireUser(request)
        return runs.listByChain({ user, query: { chainId: request.params.id, ...request.query } })
      },
    )

    app.get(
      '/api/tokens/:id/executions',
      {
        schema: {
          tags: ['executions'],
          summary: 'Your runs through a token, newest first',
          params: idParams,
          querystring: pageQuery,
          response: { 200: z.array(chainExecutionSummary) },
        },
      },
      async (request) => {
        const user = await requireUser(request)
        return runs.listByToken({ user, query: { apiTokenId: request.params.id, ...request.query } })
      },
    )

    app.get(
      '/api/prompts/:id/executions',
      {
        schema: {
          tags: ['executions'],
          summary: 'History of a prompt, newest first',
          params: idParams,
          querystring: pageQuery,
          response: { 200: z.array(promptExecution) },
        },
      },
      async (request) => {
        const user = await requireUser(request)
        return runs.listByPrompt({ user, query: { promptId: request.params.id, ...request.query } })
      },
    )

    app.get(
      '/api/executions',
      {
        schema: {
          tags: ['executions'],
          summary: 'History of a prompt, newest first',
          querystring: listExecutionsQuery,
          response: { 200: z.array(promptExecution) },
        },
      },
      async (request) => runs.listByPrompt({ user: await requireUser(request), query: request.query }),
    )

    app.delete(
      '/api/prompts/:id/executions',
      {
        schema: {
          tags: ['executions'],
          summary: 'Clear your own history of a prompt',
          params: idParams,
          response: { 204: noContent },
        },
      },
      async (request, reply) => {
        await runs.deleteByPrompt({ promptId: request.params.id, user: await requireUser(request) })
        return reply.code(204).send()
      },
    )

    app.post(
      '/api/executions/:id/cancel',
      {
        schema: {
          tags: ['executions'],
          summary: 'Stop a run; one that has ended stays as it is',
          params: idParams,
          response: { 200: executionState },
        },
      },
      async (request) => runs.cancel({ id: request.params.id, user: await requireUser(request) }),
    )

    app.delete(
      '/api/executions/:id',
      {
        schema: {
          tags: ['executions'],
          summary: 'Delete a run; one under way is stopped first',
          params: idParams,
          response: { 204: noContent },
        },
      },
      async (request, reply) => {
        await runs.delete({ id: request.params.id, user: await requireUser(request) })
        return reply.code(204).send()
      },
    )
  }
}

import {
  chainExecutionSummary,
  execution,
  executionState,
  idParams,
  noContent,
  pageQuery,
} from '@catenary/contracts'
import * as z from 'zod'
import { sendEventStream } from '../../platform/http/event-stream.ts'
import type { Routes } from '../../platform/http/routes.ts'
import { requireUser, toHeaders } from '../../platform/http/session.ts'
import type { RunsService } from './runs.service.ts'
import type { WatchingService } from './watching.service.ts'

/** Runs of prompts and chains alike: one space of ids (D31). */
export function runsRoutes({ runs, watching }: { runs: RunsService; watching: WatchingService }): Routes {
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
          querystring: pageQuery,
          response: { 200: z.array(chainExecutionSummary) },
        },
      },
      async (request) => {
        const user = await requireUser(request)
        return runs.listByChain({ user, query: { chainId: request.params.id, ...request.query } })
      },
    )

    app.get(
      '/api/executions/:id/events',
      {
        schema: {
          tags: ['executions'],
          summary: 'Watch a run',
          description:
            'A stream of the events state (first, and after each change), delta (text of the step under way: first ' +
            'all so far, then as it comes; `from` 0 begins it anew) and end. It breaks off without end when the ' +
            'watcher may not see the run any more.',
          params: idParams,
        },
      },
      async (request, reply) => {
        const { id } = request.params
        await runs.state({ id, user: await requireUser(request) })
        const findViewer = () => request.server.findUser(toHeaders(request))
        return sendEventStream(reply, watching.watch({ id, findViewer }))
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

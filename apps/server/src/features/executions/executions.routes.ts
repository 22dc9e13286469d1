import {
  executePromptReply,
  executePromptRequest,
  idParams,
  listExecutionsQuery,
  noContent,
  pageQuery,
  promptExecution,
} from '@catenary/contracts'
import * as z from 'zod'
import { AppError } from '../../platform/errors.ts'
import { abortOnDisconnect, type ServerEvent, sendEventStream } from '../../platform/http/event-stream.ts'
import type { Routes } from '../../platform/http/routes.ts'
import { requireUser } from '../../platform/http/session.ts'
import type { ExecutionsService, PromptRun } from './executions.service.ts'
import type { RunLimit } from './run-limit.ts'

interface ExecutionsEdge {
  executions: ExecutionsService
  limitRuns: RunLimit
}

export function executionsRoutes({ executions, limitRuns }: ExecutionsEdge): Routes {
  return (app) => {
    app.post(
      '/api/execute-prompt',
      {
        onRequest: limitRuns,
        schema: {
          tags: ['executions'],
          summary: 'Run a prompt',
          description:
            'With `Accept: text/event-stream` the reply is a stream of the events start, delta, done and error; ' +
            'leaving the stream stops the run. Otherwise it is one JSON object, and the run goes on to its end.',
          body: executePromptRequest,
          response: { 200: executePromptReply },
        },
      },
      async (request, reply) => {
        const user = await requireUser(request)
        if (!request.headers.accept?.includes('text/event-stream')) {
          const run = await executions.startPrompt({ user, request: request.body })
          return run.reply()
        }
        const signal = abortOnDisconnect(reply)
        const run = await executions.startPrompt({ user, request: request.body, signal })
        return sendEventStream(reply, toEvents(run))
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
        return executions.listByPrompt({ user, query: { promptId: request.params.id, ...request.query } })
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
      async (request) => executions.listByPrompt({ user: await requireUser(request), query: request.query }),
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
        await executions.deleteByPrompt({ promptId: request.params.id, user: await requireUser(request) })
        return reply.code(204).send()
      },
    )
  }
}

async function* toEvents(run: PromptRun): AsyncGenerator<ServerEvent, void> {
  const { executionId } = run
  yield { event: 'start', data: { executionId } }
  for await (const text of run.text) yield { event: 'delta', data: { text } }
  try {
    yield { event: 'done', data: await run.reply() }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    yield { event: 'error', data: { error: error.message, details: error.details, executionId } }
  }
}

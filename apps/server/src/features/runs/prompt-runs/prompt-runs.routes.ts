import { executePromptReply, executePromptRequest } from '@catenary/contracts'
import type { FastifyRequest } from 'fastify'
import { AppError } from '../../../errors.ts'
import { abortOnDisconnect, type ServerEvent, sendEventStream } from '../../../platform/http/event-stream.ts'
import type { Routes } from '../../../platform/http/routes.ts'
import { requireUser } from '../../../platform/http/session.ts'
import { toWaitView } from '../engine/live-text.ts'
import { toPromptReply } from './prompt-run-reply.ts'
import { type PromptRunHandle, type PromptRunsDeps, startPromptRun } from './prompt-runs.service.ts'

export function promptRunsRoutes(deps: PromptRunsDeps): Routes {
  return (app, { limitRuns, limitStreams }) => {
    app.post(
      '/api/execute-prompt',
      {
        config: { writes: 'unlimited' },
        onRequest: limitRuns,
        preHandler: async (request, reply) => {
          if (wantsStream(request)) await limitStreams(request, reply)
        },
        schema: {
          tags: ['executions'],
          summary: 'Run a prompt',
          description:
            'With `Accept: text/event-stream` the reply is a stream of the events start, wait, delta, done and error; ' +
            'leaving the stream stops the run, unless it says `goesOn`. Otherwise it is one JSON object, and the run goes on to its end.',
          body: executePromptRequest,
          response: { 200: executePromptReply },
        },
      },
      async (request, reply) => {
        const user = await requireUser(request)
        const { fills = [], ...body } = request.body
        const wanted = { user, request: body, allowed: { shown: fills } }
        if (!wantsStream(request)) {
          const run = await startPromptRun(deps, wanted)
          return toPromptReply(run)
        }
        const stops = request.body.goesOn ? {} : { signal: abortOnDisconnect(reply) }
        const run = await startPromptRun(deps, { ...wanted, ...stops })
        return sendEventStream(reply, toEvents(run))
      },
    )
  }
}

const wantsStream = ({ headers }: FastifyRequest): boolean =>
  headers.accept?.includes('text/event-stream') ?? false

async function* toEvents(run: PromptRunHandle): AsyncGenerator<ServerEvent, void> {
  const { id: executionId, price } = run
  yield { event: 'start', data: { executionId, price } }
  for await (const change of run.text.follow()) {
    if ('text' in change) yield { event: 'delta', data: change }
    else yield { event: 'wait', data: { waitsFor: toWaitView(change.waitsFor) } }
  }
  try {
    yield { event: 'done', data: await toPromptReply(run) }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    yield { event: 'error', data: { error: error.message, details: error.details, executionId } }
  }
}

import { promptRunsApi } from '@catenary/contracts'
import { AppError } from '../../../errors.ts'
import { handlers } from '../../../platform/http/endpoints.ts'
import { type ServerEvent, sendEventStream } from '../../../platform/http/event-stream.ts'
import type { Routes } from '../../../platform/http/routes.ts'
import { toWaitView } from '../engine/live-text.ts'
import { toPromptReply } from './prompt-run-reply.ts'
import { type PromptRunHandle, type PromptRunsDeps, startPromptRun } from './prompt-runs.service.ts'

export const promptRunsRoutes = (deps: PromptRunsDeps): Routes =>
  handlers(promptRunsApi, {
    'POST /api/execute-prompt': async (_, call) => {
      const { fills = [], ...body } = call.body
      const wanted = { user: call.user, request: body, allowed: { shown: fills } }
      const wantsStream = call.request.headers.accept?.includes('text/event-stream') ?? false
      if (!wantsStream) return toPromptReply(await startPromptRun(deps, wanted))
      // Asked for only where leaving the stream is to stop the run.
      const stops = body.goesOn ? {} : { signal: call.signal }
      const run = await startPromptRun(deps, { ...wanted, ...stops })
      return sendEventStream(call.reply, toEvents(run))
    },
  })

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

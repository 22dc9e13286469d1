import { idParams } from '@catenary/contracts'
import { abortOnDisconnect, sendEventStream } from '../../../platform/http/event-stream.ts'
import type { Routes } from '../../../platform/http/routes.ts'
import { requireUser, toHeaders } from '../../../platform/http/session.ts'
import { readRunState } from '../history/operations/read-run.ts'
import type { RunHistoryDeps } from '../history/run-history-deps.ts'
import type { WatchingService } from './watching.service.ts'

interface WatchingEdge {
  history: RunHistoryDeps
  watching: WatchingService
  draining: AbortSignal
}

export function watchingRoutes({ history, watching, draining }: WatchingEdge): Routes {
  return (app, { limitStreams }) => {
    app.get(
      '/api/executions/:id/events',
      {
        config: { readLimit: 'none' },
        preHandler: limitStreams,
        schema: {
          tags: ['executions'],
          summary: 'Watch a run',
          description:
            'A stream of the events state (first, and after each change), delta (text of the step under way: first ' +
            'all so far, then as it comes; `from` 0 begins it anew) and end. It breaks off without end when the ' +
            'watcher may not see the run any more, after error when the run can’t be followed from here, and after the field ' +
            'retry when this process stops: ask again after so many milliseconds, and another one answers.',
          params: idParams,
        },
      },
      async (request, reply) => {
        const { id } = request.params
        await readRunState(history, { id, user: await requireUser(request) })
        const findViewer = () => request.server.findUser(toHeaders(request))
        const events = watching.watch({ id, findViewer, signal: abortOnDisconnect(reply) })
        return sendEventStream(reply, events, { draining })
      },
    )
  }
}

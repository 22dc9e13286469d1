import { runWatchingApi } from '@catenary/contracts'
import { handlers } from '../../../platform/http/endpoints.ts'
import { sendEventStream } from '../../../platform/http/event-stream.ts'
import type { Routes } from '../../../platform/http/routes.ts'
import { toHeaders } from '../../../platform/http/session.ts'
import { readRunState } from '../history/operations/read-run.ts'
import type { RunHistoryDeps } from '../history/run-history-deps.ts'
import type { WatchingService } from './watching.service.ts'

interface WatchingEdge {
  history: RunHistoryDeps
  watching: WatchingService
  draining: AbortSignal
}

export const watchingRoutes = ({ history, watching, draining }: WatchingEdge): Routes =>
  handlers(runWatchingApi, {
    'GET /api/executions/{id}/events': async (_, { params: { id }, user, signal, request, reply }) => {
      await readRunState(history, { id, user })
      const findViewer = () => request.server.findUser(toHeaders(request))
      return sendEventStream(reply, watching.watch({ id, findViewer, signal }), { draining })
    },
  })

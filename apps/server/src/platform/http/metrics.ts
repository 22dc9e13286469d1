import type { Metrics } from '../metrics/metrics.ts'
import type { Routes } from './routes.ts'

/** Counts requests by route, and serves all figures at `/metrics` (D4). */
export function metricsRoutes({ metrics }: { metrics: Metrics }): Routes {
  return (app) => {
    const requests = metrics.counter({ name: 'http_requests_total', help: 'Requests answered.' })
    const seconds = metrics.counter({ name: 'http_request_seconds_total', help: 'Time spent answering.' })
    app.addHook('onResponse', async (request, reply) => {
      // The pattern, not the path: paths would be without number.
      const labels = { method: request.method, route: request.routeOptions.url ?? 'none' }
      requests({ ...labels, status: String(reply.statusCode) })
      seconds(labels, reply.elapsedTime / 1000)
    })
    app.get('/metrics', { schema: { hide: true } }, async (_request, reply) =>
      reply.type('text/plain; version=0.0.4; charset=utf-8').send(metrics.render()),
    )
  }
}

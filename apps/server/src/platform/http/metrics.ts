import type { Metrics } from '../metrics/metrics.ts'
import type { Routes } from './routes.ts'

/** Times requests by route, and serves all metrics at `/metrics` (D4). */
export function metricsRoutes({ metrics }: { metrics: Metrics }): Routes {
  return (app) => {
    app.addHook('onResponse', async ({ method, routeOptions }, { statusCode, elapsedTime }) => {
      // The pattern, not the path: there is no end of paths.
      const labels = { method, route: routeOptions.url ?? 'none', status: String(statusCode) }
      metrics.requestAnswered(labels, elapsedTime / 1000)
    })
    app.get('/metrics', { schema: { hide: true } }, async (_request, reply) =>
      reply.type(metrics.contentType).send(await metrics.render()),
    )
  }
}

import type { Metrics } from '../metrics/metrics.ts'
import type { Routes } from './routes.ts'

/** Times requests by route, and serves all figures at `/metrics` (D4). */
export function metricsRoutes({ metrics }: { metrics: Metrics }): Routes {
  return (app) => {
    app.addHook('onResponse', async ({ method, routeOptions }, { statusCode, elapsedTime }) => {
      // The pattern, not the path: paths would be without number.
      const labels = { method, route: routeOptions.url ?? 'none', status: String(statusCode) }
      metrics.requestAnswered(labels, elapsedTime / 1000)
    })
    app.get('/metrics', { schema: { hide: true } }, async (_request, reply) =>
      reply.type(metrics.contentType).send(await metrics.render()),
    )
  }
}
